import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';
import { isUuid } from '../../contracts/scalars.js';
import { type LiveResume, parseLivePosition } from '../../runtime/live/live-position.js';
import type { QueryColumn } from '../queries/parse-filters.js';
import { parseQuery, type ReadQuery } from '../queries/parse-query.js';

/** What a stream was asked for. */
interface LiveQuery {
  readonly filters: ReadQuery['filters'];
  /** Where the client left off. */
  readonly after: LiveResume | undefined;
}

const afterParameter = 'lastEventId';
const notLive = ['page', 'pageSize', 'sort', 'cursor', 'count'];

/** The filters of a list; a stream has no pages and no order. */
export function liveQueryOf(
  url: string,
  headers: IncomingHttpHeaders,
  columns: readonly QueryColumn[],
): LiveQuery {
  const mark = url.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const given = lastEventIdOf(headers) ?? parameters.get(afterParameter) ?? undefined;
  parameters.delete(afterParameter);
  const unused = notLive.find((name) => parameters.has(name));
  if (unused !== undefined)
    throw new Problem('invalid-query', {
      detail: `${unused} is not a parameter of a live stream; filter[…] and ${afterParameter} are.`,
    });
  return { filters: parseQuery(parameters.toString(), columns).filters, after: resumeOf(given) };
}

export const lastEventIdOf = (headers: IncomingHttpHeaders): string | string[] | undefined =>
  headers['last-event-id'];

/** Where a client left off. */
export function resumeOf(given: string | string[] | null | undefined): LiveResume | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const position = typeof given === 'string' ? parseLivePosition(given) : undefined;
  if (position !== undefined) return position;
  throw new Problem('invalid-query', {
    detail:
      'Last-Event-ID must be the id of an event of this stream, or a global position; leave it out to start now.',
  });
}

const maxKeyLength = 1_000;

/** The key of a row; a UUID matches in any case. */
export function liveKeyOf(id: string): string {
  if (id.includes('\0') || id.length > maxKeyLength)
    throw new Problem('not-found', { detail: 'There is no row with such an id.' });
  const small = id.toLowerCase();
  return isUuid(small) ? small : id;
}
