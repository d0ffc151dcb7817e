import { isUnstorable, unstorable } from '../../contracts/codec-scalars.js';
import { Problem } from '../../contracts/problems.js';

/** The parameters of a URL; a single one is a string. */
export type Query = Readonly<Record<string, unknown>>;

export const maxTextLength = 200;

export function textParameter(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= maxTextLength && !isUnstorable(value)) return value;
  throw invalidParameter(name, `one text of at most ${maxTextLength} characters without ${unstorable}`);
}

export const invalidParameter = (name: string, what: string): Problem =>
  new Problem('invalid-query', { detail: `${name} must be ${what}.` });
