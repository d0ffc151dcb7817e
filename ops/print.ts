import { printable } from '../runtime/printable.js';

/** The only ways to the terminal: what is stored or was sent by others must not command it. */
export const printToStdout = (text: string): void => void process.stdout.write(printable(text));

/** Chatter and errors, so that data stays by itself. */
export const printToStderr = (text: string): void => void process.stderr.write(printable(text));
