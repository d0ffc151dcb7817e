import { Problem } from '../../../contracts/problems.js';
import {
  invalidParameter,
  maxTextLength,
  type Query,
  textParameter,
} from '../../../endpoints/access/query-parameters.js';

export function wholeNumberIn(query: Query, name: string, most: number): number | undefined {
  const text = textParameter(query, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw invalidParameter(name, `a whole number from 0 to ${most}`);
}

const commonParameters = ['host', 'origin', 't'];

/** Refuses unknown parameters, so that a misspelled one is noticed. */
export function mustBeKnownParameters(query: Query, names: readonly string[] = []): void {
  const known = [...names, ...commonParameters];
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const detail = `${unknown.slice(0, maxTextLength)} is not a parameter; ${known.join(', ')} are.`;
  throw new Problem('invalid-query', { detail });
}
