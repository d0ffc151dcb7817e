import { printable } from '../runtime/printable.js';

/** All output goes through these functions, which escape control characters of stored or received text. */
export const printToStdout = (text: string): void => void process.stdout.write(printable(text));

/** Messages and errors, so that stdout carries data only. */
export const printToStderr = (text: string): void => void process.stderr.write(printable(text));
