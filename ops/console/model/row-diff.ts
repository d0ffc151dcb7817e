/** One line of a value as JSON, marked with how it differs from the value before. */
interface DiffLine {
  readonly path: string;
  readonly depth: number;
  readonly text: string;
  readonly change: 'same' | 'added' | 'removed';
}

const maxLines = 2_000;

/** Both values as one JSON text: what changed is there twice, removed and added. */
export function diffLines(before: unknown, after: unknown): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  write(lines, { path: '$', label: '', depth: 0 }, before ?? absent, after ?? absent);
  if (lines.length <= maxLines) return lines;
  const text = `… ${lines.length - maxLines} more lines`;
  return [...lines.slice(0, maxLines), { path: '…', depth: 0, text, change: 'same' }];
}

/** How many values were added, removed or changed. */
export function changedPaths(lines: readonly DiffLine[]): number {
  return new Set(lines.filter(({ change }) => change !== 'same').map(({ path }) => path)).size;
}

const absent = Symbol('absent');
type Value = unknown;

interface DiffNode {
  readonly path: string;
  readonly label: string;
  readonly depth: number;
}

function write(lines: DiffLine[], node: DiffNode, before: Value, after: Value): void {
  if (kindOf(before) !== 'leaf' && kindOf(before) === kindOf(after)) {
    writeMembers(lines, node, before as object, after as object);
    return;
  }
  if (before !== absent && after !== absent && Object.is(before, after)) {
    writeWhole(lines, node, after, 'same');
    return;
  }
  if (before !== absent) writeWhole(lines, node, before, 'removed');
  if (after !== absent) writeWhole(lines, node, after, 'added');
}

function writeMembers(lines: DiffLine[], node: DiffNode, before: object, after: object): void {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  enclose(lines, node, after, 'same', names, (inner, name) =>
    write(lines, inner, memberOf(before, name), memberOf(after, name)),
  );
}

function writeWhole(lines: DiffLine[], node: DiffNode, value: Value, change: DiffLine['change']): void {
  if (kindOf(value) === 'leaf') {
    lines.push({ ...at(node), text: `${node.label}${JSON.stringify(value) ?? ''}`, change });
    return;
  }
  const whole = value as object;
  enclose(lines, node, whole, change, Object.keys(whole), (inner, name) =>
    writeWhole(lines, inner, memberOf(whole, name), change),
  );
}

function enclose(
  lines: DiffLine[],
  node: DiffNode,
  value: object,
  change: DiffLine['change'],
  names: readonly string[],
  member: (node: DiffNode, name: string) => void,
): void {
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (names.length === 0) {
    lines.push({ ...at(node), text: `${node.label}${open}${close}`, change });
    return;
  }
  lines.push({ ...at(node), text: `${node.label}${open}`, change });
  for (const name of names) member(below(node, name, isList), name);
  lines.push({ ...at(node), text: close, change });
}

const at = ({ path, depth }: DiffNode): Pick<DiffLine, 'path' | 'depth'> => ({ path, depth });

const below = ({ path, depth }: DiffNode, name: string, isItem: boolean): DiffNode => ({
  path: `${path}/${name}`,
  label: isItem ? '' : `${name}: `,
  depth: depth + 1,
});

const memberOf = (value: object, name: string): Value =>
  Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : absent;

function kindOf(value: Value): 'list' | 'object' | 'leaf' {
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' && value !== null ? 'object' : 'leaf';
}
