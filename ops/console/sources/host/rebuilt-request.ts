import { isUuid } from '../../../../contracts/scalars.js';
import type { Database } from '../../../../runtime/database/database.js';
import type { RequestDetail } from '../../model/requests.js';
import type { StreamRecord } from '../../model/system-records.js';
import { storedByRequest } from './stored-by-request.js';

/** What a request stored is found within this time after its id was made. */
const searchedMs = 10 * 60_000;

/** When a UUID of version 7 was made, in milliseconds since 1970; other ids do not hold a time. */
export function timeOfId(id: string, now = Date.now()): number | undefined {
  if (!isUuid(id) || id.charAt(14) !== '7') return undefined;
  const made = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  // A client chooses its id: PostgreSQL knows no such years.
  return made > now + searchedMs ? undefined : made;
}

/** A request that no host remembers, from the records with its correlation id; undefined if there are none. */
export async function rebuiltRequest(
  database: Database,
  correlationId: string,
): Promise<RequestDetail | undefined> {
  const made = timeOfId(correlationId);
  if (made === undefined) return undefined;
  const startedAt = new Date(made).toISOString();
  const { events, records } = await storedByRequest(database, correlationId, { startedAt, ms: searchedMs });
  const all = [...events, ...records];
  const [first] = all;
  if (first === undefined) return undefined;
  const failed = records.find(({ eventType }) => eventType.endsWith('Failed'));
  return {
    id: correlationId,
    correlationId,
    command: commandIn(records),
    transport: 'rest',
    outcome: failed === undefined ? 'completed' : 'failed',
    startedAt,
    ms: Math.max(0, ...all.map(({ recordedAt }) => Date.parse(recordedAt) - made)),
    states: [],
    host: first.host,
    isRebuilt: true,
    ...(failed === undefined ? {} : { error: failed.eventType }),
    steps: [],
    events,
    records,
  };
}

/** The subject of a record about a command begins with its type. */
function commandIn(records: readonly StreamRecord[]): string {
  const about = records.find(({ eventType }) => eventType.startsWith('Command'));
  return about?.subject.split(/[\s:]/, 1)[0] || 'Request';
}
