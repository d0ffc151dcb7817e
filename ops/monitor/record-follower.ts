import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from '../../actors/supervisor/child.js';
import { Problem } from '../../contracts/problems.js';
import type { Database, Row } from '../../runtime/database/database.js';
import { readReceivedGaps, type ReceivedGap } from '../../runtime/inbox/received-gaps.js';
import { log } from '../../runtime/logging/log.js';
import { lastPosition, findRecords } from '../audit/record-query.js';
import { CommitWaiter } from '../audit/commit-waiter.js';
import {
  type ReceivedRecord,
  receivedColumns,
  receivedRecords,
  receivedRecordOf,
} from '../console/sources/monitor/received-record.js';
import { type ListedStore, listStores } from '../../runtime/trust/stores.js';
import { failureTypes, type KnownHosts } from '../console/sources/monitor/known-hosts.js';
import { progressTypes } from '../console/sources/monitor/work-progress.js';

/** How many records a monitor looks back at its start. */
const maxLookBack = 100_000;
const maxRemembered = 500;
const page = 200;
const retryMs = 500;
/** How often missing records are looked for. */
const compareMs = 2_000;

/** The number of the last record that was shown. */
interface Cursor {
  at: number;
}

/** Follows received records: updates the known hosts and shows every record once. */
export function recordFollower(
  database: Database,
  knownHosts: KnownHosts,
  show: (record: ReceivedRecord) => void,
): Child {
  // A restart continues where the last run ended.
  let cursor: Cursor | undefined;
  const showRow = (row: Row): void => {
    try {
      const record = receivedRecordOf(row);
      knownHosts.addRecord(record);
      show(record);
    } catch (err) {
      // A record that cannot be shown must not block the others.
      log.warn({ err, number: row[0] }, 'a received record cannot be shown');
    }
  };
  return {
    name: 'follower',
    start: async (crashed) => {
      cursor ??= await restoreCursor(database, knownHosts);
      const stopping = new AbortController();
      const ports = { cursor, showRow, onCompared: compared(knownHosts) };
      const following = follow(database, ports, stopping.signal).catch(crashed);
      const stop = (): Promise<void> => {
        stopping.abort();
        return following;
      };
      return { stop };
    },
  };
}

const compared =
  (knownHosts: KnownHosts): FollowPorts['onCompared'] =>
  (gaps, stores) => {
    knownHosts.setGaps(gaps);
    knownHosts.setStores(stores);
  };

async function restoreCursor(database: Database, knownHosts: KnownHosts): Promise<Cursor> {
  await mustBeMonitorStore(database);
  const at = await lastPosition(database, receivedRecords);
  await restoreKnownHosts(database, knownHosts, at);
  return { at };
}

interface FollowPorts {
  readonly cursor: Cursor;
  readonly showRow: (row: Row) => void;
  readonly onCompared: (gaps: readonly ReceivedGap[], stores: readonly ListedStore[]) => void;
}

async function follow(
  database: Database,
  { cursor, showRow, onCompared }: FollowPorts,
  signal: AbortSignal,
): Promise<void> {
  const commits = new CommitWaiter(database, signal);
  let failures = 0;
  let comparedAt = Number.NEGATIVE_INFINITY;
  // Read once more after the end, to show what arrived until then.
  for (let isOver = false; !isOver;) {
    isOver = signal.aborted;
    try {
      await commits.next();
      await showNewRecords(database, cursor, showRow);
      if (performance.now() - comparedAt > compareMs) {
        onCompared(await readReceivedGaps(database), await listStores(database));
        comparedAt = performance.now();
      }
      failures = 0;
    } catch (err) {
      // The store may come back; records received meanwhile wait there.
      if (failures++ === 0) log.warn({ err }, 'received records could not be read; retrying');
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  commits.stop();
}

async function showNewRecords(
  database: Database,
  cursor: Cursor,
  showRow: (row: Row) => void,
): Promise<void> {
  const head = await lastPosition(database, receivedRecords);
  while (cursor.at < head) {
    const range = { from: cursor.at + 1, to: Math.min(head, cursor.at + page) };
    const rows = await findRecords(database, receivedColumns, {}, range, receivedRecords);
    cursor.at = range.to;
    for (const row of rows) showRow(row);
  }
}

/** Restores what was known before the stop, as far as it is shown. */
async function restoreKnownHosts(database: Database, knownHosts: KnownHosts, last: number): Promise<void> {
  const since = Math.max(0, last - maxLookBack);
  const hosts = await database.rows({
    text: `SELECT o.store, r.host, svc_iso_time(max(r.recorded_at), 'MS'),
        max(r.stream_position)
      FROM svc_received_system_events r JOIN svc_origins o USING (origin)
      WHERE r.id > $1 AND r.id <= $2 GROUP BY r.origin, o.store, r.host ORDER BY r.origin, r.host`,
    values: [since, last],
  });
  for (const [store, host, recordedAt, position] of hosts)
    knownHosts.addActivity({ store: store ?? '', host: host ?? '' }, recordedAt ?? '', Number(position));
  const rows = await database.rows({
    text: `SELECT id, ${receivedColumns} FROM svc_received_system_events
      WHERE id > $1 AND id <= $2 AND event_type = ANY($3) ORDER BY id DESC LIMIT ${maxRemembered}`,
    values: [since, last, [...failureTypes, ...progressTypes]],
  });
  for (const row of rows.toReversed()) knownHosts.addRecord(receivedRecordOf(row));
}

/** A store receives its own records as its own and would never show them. */
async function mustBeMonitorStore(database: Database): Promise<void> {
  const [row] = await database.rows({ text: 'SELECT EXISTS (SELECT FROM svc_events WHERE origin = 0)' });
  if (row?.[0] !== 't') return;
  throw new Problem('invalid-setup', {
    detail:
      'This is the store of a service; a monitor needs its own store: set another DATABASE_URL or SVC_DATA_DIR.',
  });
}
