import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from '../../actors/supervisor/child.js';
import { Problem } from '../../contracts/problems.js';
import type { Database, Row } from '../../runtime/database/database.js';
import { readReceivedGaps, type ReceivedGap } from '../../runtime/inbox/received-gaps.js';
import { log } from '../../runtime/log.js';
import { lastIn, matching } from '../audit/audit-matching.js';
import { Bell } from '../audit/bell.js';
import {
  type ReceivedRecord,
  receivedColumns,
  receivedLog,
  receivedRecordOf,
} from '../console/sources/monitor/received-record.js';
import { failureTypes, type Roster } from '../console/sources/monitor/roster.js';
import { progressTypes } from '../console/sources/monitor/progress.js';

/** So far a monitor looks back when it starts. */
const lookBack = 100_000;
const mostRemembered = 500;
const page = 200;
const retryMs = 500;
/** How often it is looked for what did not come. */
const compareMs = 2_000;

/** The number of the last record that was shown. */
interface Cursor {
  at: number;
}

/** Follows what is received: the roster learns from it, and every record is shown once. */
export function follower(database: Database, roster: Roster, show: (record: ReceivedRecord) => void): Child {
  // A life goes on where the last one ended.
  let cursor: Cursor | undefined;
  const take = (row: Row): void => {
    try {
      const record = receivedRecordOf(row);
      roster.saw(record);
      show(record);
    } catch (err) {
      // Whoever sent it, it must not keep the others from being shown.
      log.warn({ err, number: row[0] }, 'a record that was received cannot be shown');
    }
  };
  return {
    name: 'follower',
    start: async (crashed) => {
      cursor ??= await begin(database, roster);
      const stopping = new AbortController();
      const news = { cursor, take, compared: (gaps: readonly ReceivedGap[]) => roster.compared(gaps) };
      const following = follow(database, news, stopping.signal).catch(crashed);
      const stop = (): Promise<void> => {
        stopping.abort();
        return following;
      };
      return { stop };
    },
  };
}

async function begin(database: Database, roster: Roster): Promise<Cursor> {
  await mustBeAMonitorsStore(database);
  const at = await lastIn(database, receivedLog);
  await remember(database, roster, at);
  return { at };
}

interface News {
  readonly cursor: Cursor;
  readonly take: (row: Row) => void;
  readonly compared: (gaps: readonly ReceivedGap[]) => void;
}

async function follow(
  database: Database,
  { cursor, take, compared }: News,
  signal: AbortSignal,
): Promise<void> {
  const bell = new Bell(database, signal);
  let failures = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  // Once more after the end: what came until then is shown too.
  for (let isOver = false; !isOver;) {
    isOver = signal.aborted;
    try {
      await bell.next();
      await takeNews(database, cursor, take);
      if (performance.now() - comparedAt > compareMs) {
        compared(await readReceivedGaps(database));
        comparedAt = performance.now();
      }
      failures = 0;
    } catch (err) {
      // A store that is away comes back; what was received meanwhile waits there.
      if (failures++ === 0) log.warn({ err }, 'what was received cannot be read and is tried again');
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  bell.stop();
}

async function takeNews(database: Database, cursor: Cursor, take: (row: Row) => void): Promise<void> {
  const head = await lastIn(database, receivedLog);
  while (cursor.at < head) {
    const range = { from: cursor.at + 1, to: Math.min(head, cursor.at + page) };
    const rows = await matching(database, receivedColumns, {}, range, receivedLog);
    cursor.at = range.to;
    for (const row of rows) take(row);
  }
}

/** What it knew before it was stopped, as far as it is shown. */
async function remember(database: Database, roster: Roster, last: number): Promise<void> {
  const since = Math.max(0, last - lookBack);
  const hosts = await database.rows({
    text: `SELECT o.store, r.host, to_char(max(r.recorded_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        max(r.stream_position)
      FROM svc_received_system_events r JOIN svc_origins o USING (origin)
      WHERE r.id > $1 AND r.id <= $2 GROUP BY r.origin, o.store, r.host ORDER BY r.origin, r.host`,
    values: [since, last],
  });
  for (const [store, host, recordedAt, position] of hosts)
    roster.recorded({ store: store ?? '', host: host ?? '' }, recordedAt ?? '', Number(position));
  const told = await database.rows({
    text: `SELECT id, ${receivedColumns} FROM svc_received_system_events
      WHERE id > $1 AND id <= $2 AND event_type = ANY($3) ORDER BY id DESC LIMIT ${mostRemembered}`,
    values: [since, last, [...failureTypes, ...progressTypes]],
  });
  for (const row of told.toReversed()) roster.saw(receivedRecordOf(row));
}

/** What a store has written itself comes back to it as its own, and would never be shown. */
async function mustBeAMonitorsStore(database: Database): Promise<void> {
  const [row] = await database.rows({ text: 'SELECT EXISTS (SELECT FROM svc_events WHERE origin = 0)' });
  if (row?.[0] !== 't') return;
  throw new Problem('invalid-setup', {
    detail:
      'This is the store of a service; a monitor needs one of its own: set another DATABASE_URL or SVC_DATA_DIR.',
  });
}
