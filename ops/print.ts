import { printable } from '../runtime/printable.js';

/** All output goes through these functions, which escape control characters of stored or received text. */
export const printToStdout = (text: string): void => void process.stdout.write(printable(text));

/** Messages and errors, so that stdout carries data only. */
export const printToStderr = (text: string): void => void process.stderr.write(printable(text));

/** A reader may close its pipe or its terminal at any time: the process does its work without being read. */
export function outliveReaders(): void {
  process.stdout.on('error', () => (isUnread = true));
  process.stderr.on('error', () => undefined);
}

let isUnread = false;

/** For what only follows something and shows it: nobody reads it any more. */
export const hasLostReader = (): boolean => isUnread;
