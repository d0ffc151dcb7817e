import { isUnstorable, unstorable } from '../../contracts/codec-scalars.js';
import { Problem } from '../../contracts/problems.js';

/** The parameters of an address, as strings that came once. */
export type Query = Readonly<Record<string, unknown>>;

const longest = 200;

export function textIn(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= longest && !isUnstorable(value)) return value;
  throw invalid(name, `one text of at most ${longest} characters without ${unstorable}`);
}

export function wholeIn(query: Query, name: string, most: number): number | undefined {
  const text = textIn(query, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw invalid(name, `a whole number from 0 to ${most}`);
}

const everywhere = ['host', 'origin', 't'];

/** A parameter that nobody reads is refused, so that a misspelt one is seen. */
export function mustBeKnown(query: Query, names: readonly string[] = []): void {
  const known = [...names, ...everywhere];
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const detail = `${unknown.slice(0, longest)} is no parameter; ${known.join(', ')} are.`;
  throw new Problem('invalid-query', { detail });
}

const invalid = (name: string, what: string): Problem =>
  new Problem('invalid-query', { detail: `${name} must be ${what}.` });
