import { DatabaseError } from 'pg';
import { Problem } from '../../contracts/problems.js';

/**
 * `data`: this statement can never succeed. `taken`: nor can it, because an id in it is stored already.
 * `refused`: the server said no for now. `read-only`: this server said no, another one may be the primary.
 * `unsent`: the server cannot have heard of it. `lost`: nobody knows what happened.
 */
export type SqlFailure = 'data' | 'taken' | 'refused' | 'read-only' | 'unsent' | 'lost';

export function sqlFailureOf(error: unknown): SqlFailure {
  if (error instanceof Problem && error.code === 'store-unavailable') return 'unsent';
  if (!(error instanceof DatabaseError) || error.code === undefined) return 'lost';
  if (error.code === '23505') return 'taken';
  // A standby, a primary that was demoted, or one that is closed to writers.
  if (error.code === '25006') return 'read-only';
  const family = error.code.slice(0, 2);
  // 54: too deep or too large for the server, today and tomorrow.
  if (family === '22' || family === '23' || family === '54') return 'data';
  return family === '08' || error.code.startsWith('57P') ? 'lost' : 'refused';
}

/** Nothing is wrong with the statement: no connection, too many of them, no memory, no disk, a shutdown, a time-out, no primary. */
export const isTransient = (error: unknown): boolean =>
  ['lost', 'read-only'].includes(sqlFailureOf(error)) || /^(?:53|55P03|57|58)/.test(sqlStateOf(error) ?? '');

/** Also when it is the reason of a store that is not available. */
export const isReadOnly = (error: unknown): boolean =>
  sqlFailureOf(error instanceof Problem ? error.cause : error) === 'read-only';

export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** What the server says, without values: those of class 22 quote the text that does not fit. Its DETAIL is never used. */
export function plainSqlMessageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!/^22/.test(sqlStateOf(error) ?? '')) return message;
  return message.replace(/".*"/s, (quoted) => `a text of ${quoted.length - 2} characters`);
}

export const storeUnavailable = (cause: unknown): Problem =>
  new Problem('store-unavailable', {
    detail: 'The store cannot be reached; try again soon.',
    retryAfter: 1,
    cause,
  });

export const outcomeUnknown = (cause: unknown): Problem =>
  new Problem('outcome-unknown', { extensions: { committed: 'unknown' }, retryAfter: 1, cause });
