import { printable, printableLine } from '../lang/printable.js';

const levelMarks: Readonly<Record<string, string>> = { warn: '! ', error: '✗ ', fatal: '✗ ' };

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly [name: string]: unknown;
}

/** A log line for people: the time, the message, then the fields. */
export function humanLine(json: string): string {
  const { level, time, msg = '', err, ...facts } = JSON.parse(json) as Line;
  const fields = Object.entries(facts).map(([name, value]) => `  ${name} ${printableLine(text(value))}`);
  const trace = err === undefined ? '' : `\n${printable(err.stack ?? err.message ?? text(err))}`;
  return `${time.slice(11, 19)}  ${levelMarks[level] ?? ''}${printableLine(msg)}${fields.join('')}${trace}\n`;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
