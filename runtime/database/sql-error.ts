import { DatabaseError } from 'pg';
import { Problem } from '../../contracts/problems.js';
import { thrownMessage } from '../lang/thrown.js';

/**
 * `data`: this statement can never succeed. `taken`: neither can it, because an id in it is already stored.
 * `refused`: the server refused for now. `read-only`: this server refused; another one may be the primary.
 * `unsent`: the server cannot have received it. `lost`: the outcome is unknown.
 */
export type SqlFailure = 'data' | 'taken' | 'refused' | 'read-only' | 'unsent' | 'lost';

const unsentCodes: ReadonlySet<string> = new Set(['store-unavailable', 'overloaded']);

export function sqlFailureOf(error: unknown): SqlFailure {
  if (error instanceof Problem && unsentCodes.has(error.code)) return 'unsent';
  if (!(error instanceof DatabaseError) || error.code === undefined) return 'lost';
  if (error.code === '23505') return 'taken';
  // A standby, a demoted primary, one that is set to read-only, or one whose store has moved.
  if (error.code === '25006' || error.code === movedAway) return 'read-only';
  const family = error.code.slice(0, 2);
  // 54: a server limit was exceeded; a retry would not help.
  if (family === '22' || family === '23' || family === '54') return 'data';
  return family === '08' || error.code.startsWith('57P') ? 'lost' : 'refused';
}

/** Nothing is wrong with the statement: no connection, too many connections, no memory, no disk, a shutdown, a timeout, no primary. */
export const isTransient = (error: unknown): boolean =>
  ['lost', 'read-only'].includes(sqlFailureOf(error)) || /^(?:53|55P03|57|58)/.test(sqlStateOf(error) ?? '');

/** The server is read-only or its disk is full; also true for a store that is unavailable for this reason. */
export function refusesWrites(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error;
  return sqlFailureOf(cause) === 'read-only' || sqlStateOf(cause) === diskFull;
}

/** The server ended the statement when its time was over: it was waiting, and not out of reach. */
export const hasTimedOut = (error: unknown): boolean =>
  sqlStateOf(error instanceof Problem ? error.cause : error) === '57014';

const diskFull = '53100';
const movedAway = 'SV003';

export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** The server's message without values: errors of class 22 quote the text that does not fit. Its DETAIL is never used. */
export function plainSqlMessageOf(error: unknown): string {
  const message = thrownMessage(error);
  if (!/^22/.test(sqlStateOf(error) ?? '')) return message;
  return message.replace(/".*"/s, (quoted) => `a text of ${quoted.length - 2} characters`);
}

/** What a reader needs is archived: the message names the segments. */
export const historyProblemOf = (error: unknown): Problem | undefined =>
  sqlStateOf(error) === 'SV002'
    ? new Problem('history-archived', { detail: thrownMessage(error) })
    : undefined;

export const storeUnavailable = (cause: unknown): Problem =>
  new Problem('store-unavailable', {
    detail: unavailableText(cause),
    retryAfter: 1,
    cause,
  });

/** What a server that answers says of itself; otherwise nothing is known but that it does not answer. */
function unavailableText(cause: unknown): string {
  switch (sqlStateOf(cause)) {
    case diskFull:
      return 'The disk of the database is full; nothing can be stored until it has space.';
    case '53300':
      return 'The database accepts no more connections; try again shortly.';
    case '53200':
      return 'The database is out of memory; try again shortly.';
    case movedAway:
      return 'The store has moved to another database; try again shortly.';
    default:
      return 'The store cannot be reached; try again shortly.';
  }
}

export const outcomeUnknown = (cause: unknown): Problem =>
  new Problem('outcome-unknown', { extensions: { committed: 'unknown' }, retryAfter: 1, cause });
