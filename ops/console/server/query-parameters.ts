import { Problem } from '../../../contracts/problems.js';
import type { RowsWanted } from '../model/perspectives.js';
import type { SystemFilter } from '../model/system-records.js';
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

const maxRows = 200;
const defaultRows = 100;

/** How many rows are asked for. */
export const rowsIn = (query: Query): number => wholeNumberIn(query, 'limit', maxRows) ?? defaultRows;

/** Which rows of a perspective are asked for. */
export const rowsWantedIn = (query: Query): RowsWanted => ({
  tenant: textParameter(query, 'tenant'),
  key: textParameter(query, 'key'),
  after: textParameter(query, 'after'),
});

export const systemParameters = [
  ...['type', 'user', 'tenant', 'correlation', 'host-name', 'stream', 'status', 'since', 'until'],
];

/** The filter of the system stream; `host` already selects whose stream it is. */
export function systemFilterIn(query: Query): SystemFilter {
  const status = textParameter(query, 'status');
  if (status !== undefined && status !== 'failed' && status !== 'succeeded')
    throw invalidParameter('status', 'failed or succeeded');
  return {
    type: textParameter(query, 'type'),
    user: textParameter(query, 'user'),
    tenant: textParameter(query, 'tenant'),
    correlation: textParameter(query, 'correlation'),
    host: textParameter(query, 'host-name'),
    stream: textParameter(query, 'stream'),
    status,
    since: timeIn(query, 'since'),
    until: timeIn(query, 'until'),
  };
}

/** A time in ISO 8601; without a zone it is UTC. */
export function timeIn(query: Query, name: string): string | undefined {
  const text = textParameter(query, name);
  if (text === undefined) return undefined;
  // There is no year 0.
  const isTime = /^(?!0000)\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?Z?)?$/.test(text);
  const time = isTime ? Date.parse(text.length > 10 && !text.endsWith('Z') ? `${text}Z` : text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw invalidParameter(name, 'a time such as 2026-01-31T10:30');
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
