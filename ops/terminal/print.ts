import { printable } from '../../runtime/lang/printable.js';
import { listTable, type Styled } from './list-table.js';

/** All output goes through these functions, which escape control characters of stored or received text. */
export const printToStdout = (text: string): void => void process.stdout.write(printable(text));

/** Messages and errors, so that stdout carries data only. */
export const printToStderr = (text: string): void => void process.stderr.write(printable(text));

/** What a verb has found: as JSON, on a terminal a list as a table, otherwise as text. */
export function printResult(data: unknown, text: string, json = false): void {
  if (json) printToStdout(`${JSON.stringify(data)}\n`);
  else if (process.stdout.isTTY && isList(data))
    process.stdout.write(styledText(listTable(data), hasColors()));
  else printToStdout(`${text}\n`);
}

const isList = (data: unknown): data is readonly object[] =>
  Array.isArray(data) && data.length > 0 && data.every((one) => typeof one === 'object' && one !== null);

const hasColors = ({ NO_COLOR: none, TERM: terminal } = process.env): boolean =>
  (none === undefined || none === '') && terminal !== 'dumb';

const codes = { head: '1', good: '32', warn: '33', bad: '31' } as const;

const styledText = (parts: readonly Styled[], isColored: boolean): string =>
  parts
    .map(({ text, style }) =>
      isColored && style !== undefined
        ? `\u001b[${codes[style]}m${printable(text)}\u001b[0m`
        : printable(text),
    )
    .join('');

/** A reader may close its pipe or its terminal at any time: the process does its work without being read. */
export function outliveReaders(): void {
  process.stdout.on('error', () => (isUnread = true));
  process.stderr.on('error', () => undefined);
}

let isUnread = false;

/** For what only follows something and shows it: nobody reads it anymore. */
export const hasLostReader = (): boolean => isUnread;
