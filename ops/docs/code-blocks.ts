/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** `no-run` or `no-check`: it cannot be tried here. */
  readonly isMarked: boolean;
  readonly text: string;
}

/** One command of a shell block, and the output that the page shows. */
export interface ShellCommand {
  readonly command: string;
  readonly output: string;
}

/** Blocks that are data: nothing runs them. */
const data = new Set(['graphql', 'json', 'sql', 'text', 'yaml']);

/** What happens to a block: it is type-checked, run, marked as impossible here, only data, or unhandled. */
export function treatmentOf({
  language,
  isMarked,
}: Block): 'checked' | 'run' | 'marked' | 'data' | 'unhandled' {
  if (data.has(language)) return 'data';
  if (!['ts', 'sh', 'console'].includes(language)) return 'unhandled';
  if (isMarked) return 'marked';
  return language === 'ts' ? 'checked' : 'run';
}

/** How many blocks are handled in each way. */
export function countsOf(blocks: readonly Block[]): string {
  const treatments = ['checked', 'run', 'marked', 'data'] as const;
  return treatments
    .map((treatment) => `${blocks.filter((block) => treatmentOf(block) === treatment).length} ${treatment}`)
    .join(', ');
}

/**
 * The fenced blocks of a page. A comment `<!-- before … -->` in front of a block holds lines that belong to the block
 * and that readers need not see.
 */
export function blocksOf(page: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let hidden = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('<!-- before')) {
      const end = lines.indexOf('-->', at);
      hidden = `${lines.slice(at + 1, end).join('\n')}\n`;
      at = end;
    }
    const [, indent = '', info] = /^( *)```(.*)$/.exec(line) ?? [];
    if (info === undefined) continue;
    const end = lines.findIndex((other, index) => index > at && other.startsWith(`${indent}\`\`\``));
    const inside = lines.slice(at + 1, end).map((one) => one.slice(indent.length));
    const [language = '', ...flags] = info.split(/\s+/);
    const isMarked = flags.some((flag) => ['no-run', 'no-check'].includes(flag));
    blocks.push({ page, line: at + 1, language, isMarked, text: `${hidden}${inside.join('\n')}\n` });
    hidden = '';
    at = end;
  }
  return blocks;
}

/** Whether a page asks for the example: `<!-- example: orders -->`. */
export const wantsExample = (text: string): boolean => /^<!-- example: orders -->$/m.test(text);

/** The commands of a block: each line of `sh`, or whatever follows a `$` of `console` up to its output. */
export function commandsOf({ language, text }: Block): readonly ShellCommand[] {
  const lines = text.trimEnd().split('\n');
  if (language === 'sh') return joined(lines).map((command) => ({ command, output: '' }));
  const commands: { command: string; output: string }[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: '' });
    else if (last === undefined) continue;
    else if (last.output === '' && isOpen(last.command)) last.command += `\n${line}`;
    else last.output += `${line}\n`;
  }
  return commands;
}

/** A backslash at its end continues a line; comments are not commands. */
function joined(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n').replaceAll('\\\n', ' ');
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** Whether a command continues on the next line. */
const isOpen = (command: string): boolean =>
  command.endsWith('\\') || (command.match(/'/g)?.length ?? 0) % 2 === 1;

/** Output as a page shows it: ids and numbers differ each time, … stands for anything. */
export function matcherOf(output: string): RegExp {
  const pattern = output
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f…-]*/g, '[0-9a-f-]{36}')
    .replace(/(?<!\{)\d+(?![-\d]*\})/g, '\\d+')
    .replace(/\s+/g, '\\s*')
    .replaceAll('…', '[^]*?');
  return new RegExp(`^\\s*${pattern}\\s*$`);
}
