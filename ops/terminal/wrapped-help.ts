/** A help text for a terminal of this width: sentences are filled again, the words of an option stay in their column. */
export function wrappedHelp(help: string, width: number): string {
  const lines = help.split('\n');
  if (lines.every(({ length }) => length <= width)) return help;
  return joined(lines)
    .flatMap((line) => folded(line, Math.max(leastWidth, width)))
    .join('\n');
}

const leastWidth = 30;
/** Where the text of an option begins at most. */
const deepest = 24;

/** A line that ends in the middle of a sentence continues in the next one. */
function joined(lines: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const before = whole.at(-1) ?? '';
    const isText = /^\S/.test(line) && !line.startsWith('svc ');
    const continuesText = isText && /^\S/.test(before) && !before.startsWith('svc ') && !/[.:]$/.test(before);
    const continuesOption = /^ {6,}\S/.test(line) && /^ {2}\S/.test(before);
    if (continuesText || continuesOption) whole[whole.length - 1] = `${before} ${line.trim()}`;
    else whole.push(line);
  }
  return whole;
}

function folded(line: string, width: number): readonly string[] {
  const [indent = ''] = /^\s*/.exec(line) ?? [];
  const column = /^\s+\S+(?: \S+)*? {2,}/.exec(line)?.[0].length ?? indent.length + (indent === '' ? 0 : 2);
  const hanging = ' '.repeat(Math.min(column, deepest));
  const folds: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= hanging.length) break;
    folds.push(rest.slice(0, at).trimEnd());
    rest = hanging + rest.slice(at).trimStart();
  }
  return [...folds, rest];
}
