import { createHash } from 'node:crypto';
import { Problem } from '../../contracts/problems.js';
import { storableStart } from '../lang/storable-text.js';
import { thrownMessage, thrownName } from '../lang/thrown.js';

/** Short, and equal for all errors of one kind, whichever message they are about. */
export const fingerprintOf = (error: unknown): string => fingerprintOfText(errorTextOf(error));

/** The same, of an error as it is stored: its name or code, where it has one, and its message. */
export function fingerprintOfText(text: string): string {
  const [, name = '', message = text] = /^([\w$-]+): (.*)$/s.exec(text) ?? [];
  return createHash('sha256')
    .update(`${name}\n${withoutValues(message)}`)
    .digest('hex')
    .slice(0, 12);
}

const maxTextLength = 2000;

/** The text of an error as it is stored. */
export function errorTextOf(error: unknown): string {
  const { name, message } = describe(error);
  return storableStart(`${name}: ${message}`, maxTextLength);
}

function describe(error: unknown): { readonly name: string; readonly message: string } {
  if (error instanceof Problem) return { name: error.code, message: error.message };
  return { name: thrownName(error), message: thrownMessage(error) };
}

const withoutValues = (message: string): string =>
  message
    .toLowerCase()
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"[^"]*"|'[^']*'/g, '<text>')
    .replaceAll(/0x[0-9a-f]+|\d+(?:\.\d+)*/g, '<n>')
    .replaceAll(/\s+/g, ' ')
    .trim();
