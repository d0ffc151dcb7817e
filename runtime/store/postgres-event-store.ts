import type { Appended, ReadAll, ReadRange, StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import { isUuid, type Long, type Uuid } from '../../contracts/scalars.js';
import { Upcasters } from '../../contracts/upcaster.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { alreadyReserved } from './already-reserved.js';
import type { ReservationKey } from '../../contracts/unit-lists.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import type { Database, Row, Session } from '../database/database.js';
import { sqlFailureOf, storeUnavailable } from '../database/sql-error.js';
import { type Distribution, Histogram } from '../metrics/histogram.js';
import { appendUnit, appendedBy } from '../unit/append-unit.js';
import { type EncodedUnit, encodeUnit } from './encode-unit.js';
import { commitCall, commitOneCall, type FlushRow, rowOfOne, type UnitAnswer } from './flush-call.js';
import { sealUnit } from './seal-unit.js';
import { OriginStores } from './origin-stores.js';
import { openEvents } from './open-events.js';
import { readReceived } from './read-received.js';
import { eventColumns, systemColumns } from './stored-rows.js';
import { mustHoldStreams } from './must-hold.js';
import type { MustFit } from '../transport/fit-broker.js';
import type { CommitConnection } from './flush-sender.js';
import type { StoreWitness } from './store-witness.js';
import { GroupCommitWriter, type WriterLimits } from './group-commit-writer.js';

export interface PostgresStore extends UnitStore {
  /** Commits waiting for their flush. */
  readonly depth: number;
  /** The size and duration of flushes, and how many of their units were refused because another owner has a name. */
  readonly flushes: {
    readonly units: Distribution;
    readonly seconds: Distribution;
    readonly reserved: number;
  };
  close(): Promise<void>;
}

export interface PostgresStoreOptions {
  readonly host: string;
  readonly limits?: WriterLimits;
  readonly upcasters?: Upcasters;
  readonly reservationKey?: ReservationKey;
  /** Remembers what was committed, and refuses commits to a store that went back. */
  readonly witness?: Pick<StoreWitness, 'observe' | 'mustAcceptWrites'>;
  /** Set for a host with a broker. */
  readonly mustFit?: MustFit | undefined;
}

const pageSize = 1000;
/**
 * A flush is retried after this much silence, although the server allows a slow one more time: the retry waits behind
 * the first and gets its result, so it costs a connection and does no harm.
 */
const timeoutMs = 8_000;
const unitBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const secondBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function openPostgresStore(database: Database, options: PostgresStoreOptions): PostgresStore {
  const units = new Histogram(unitBounds);
  const seconds = new Histogram(secondBounds);
  let reserved = 0;
  const writer = writerOf(database, options, (count, took) => {
    units.observe(count);
    seconds.observe(took);
  });
  const commit = async (unit: Unit, signal?: AbortSignal): Promise<void> => {
    options.witness?.mustAcceptWrites();
    const { sealing } = upcasters;
    const sealed = sealing === undefined ? { unit, events: undefined } : await sealUnit(unit, sealing);
    const encoded = fitting(unit, encodeUnit(sealed.unit, Date.now(), sealed.events), options);
    const answer = await writer.commit(encoded, signal);
    if (answer.status === 'reserved') reserved++;
    applyAnswer(unit, answer, options.host);
    if (options.witness !== undefined) observeLast(unit, options.witness);
  };
  const upcasters = options.upcasters ?? new Upcasters();
  const origins = new OriginStores(database);
  return {
    commit,
    upcasters,
    ...(options.reservationKey !== undefined && { reservationKey: options.reservationKey }),
    append: async (streamId, envelopes, appendOptions = {}, signal): Promise<Appended> => {
      const unit = appendUnit(streamId, envelopes, appendOptions);
      await commit(unit, signal);
      return appendedBy(unit);
    },
    read: (streamId, range) => readStream(database, upcasters, origins, streamId, range),
    readAll: (query) => readAll(database, upcasters, origins, query),
    lastPosition: (streamId) => lastPosition(database, streamId),
    get depth() {
      return writer.depth;
    },
    get flushes() {
      return { units: units.read(), seconds: seconds.read(), reserved };
    },
    close: () => writer.close(),
  };
}

function fitting({ events }: Unit, encoded: EncodedUnit, { mustFit }: PostgresStoreOptions): EncodedUnit {
  if (mustFit !== undefined)
    events.forEach((event, index) => mustFit(event, encoded.events[index]?.data ?? ''));
  return encoded;
}

const writerOf = (
  database: Database,
  { host, limits }: PostgresStoreOptions,
  flushed: (units: number, seconds: number) => void,
): GroupCommitWriter =>
  new GroupCommitWriter(
    {
      host,
      connect: async () => commitConnection(await database.session()),
      failureOf: sqlFailureOf,
      unavailable: (cause) => (cause instanceof Problem ? cause : storeUnavailable(cause)),
      flushed,
    },
    limits,
  );

function commitConnection(session: Session): CommitConnection {
  const call = session.prepared({ name: 'svc_commit_v1', text: commitCall, timeoutMs });
  const callOne = session.prepared({ name: 'svc_commit_one_v1', text: commitOneCall, timeoutMs });
  return {
    send: async (parameters) => (await call(parameters)) as unknown as FlushRow,
    sendOne: async (parameters) => rowOfOne((await callOne(parameters))[0]),
    discard: () => {
      session.release(true);
    },
  };
}

function applyAnswer(unit: Unit, answer: UnitAnswer, host: string): void {
  if (answer.status === 'conflict') throw conflictOf(unit);
  if (answer.status === 'reserved') throw alreadyReserved(unit.lists?.reservations ?? []);
  if (answer.status !== 'committed') throw new Problem(codes[answer.status]);
  unit.events.forEach((event, index) => {
    event.position = answer.positions[index] ?? 0;
    event.globalPosition = answer.globalPositions[index] ?? 0;
    event.recordedAt = answer.recordedAt;
    event.host = host;
  });
  for (const record of unit.records) record.recordedAt = answer.recordedAt;
}

const codes = {
  'key-taken': 'duplicate-in-flight',
  overtaken: 'overtaken',
  'timer-gone': 'timer-gone',
} as const;

/** The records of a unit stand right behind its events. */
function observeLast({ events, records }: Unit, witness: Pick<StoreWitness, 'observe'>): void {
  const position = events.at(-1)?.globalPosition;
  if (position === undefined) return;
  const isRecorded = typeof records.at(-1)?.recordedAt === 'string';
  const last = isRecorded ? records.at(-1) : events.at(-1);
  if (last !== undefined)
    witness.observe(position + (isRecorded ? records.length : 0), last.envelope.messageId);
}

function conflictOf(unit: Unit): Problem {
  const processes = unit.lists?.processes ?? [];
  const streams = [
    ...[...unit.expected].map(([id, position]) => `${id} at ${position}`),
    ...processes.map(({ name, key, revision }) => `process ${name} of ${key} at revision ${revision}`),
  ].join(', ');
  return new Problem('stream-conflict', {
    detail: streams === '' ? 'An event with this id is already stored.' : `Expected ${streams}.`,
  });
}

async function* readStream(
  database: Database,
  upcasters: Upcasters,
  origins: OriginStores,
  streamId: Uuid,
  { from = 1, to, signal, origin = 'own' }: ReadRange = {},
): AsyncIterable<StoredEvent> {
  if (!isUuid(streamId)) return;
  if (origin !== 'own')
    return yield* readReceived(database, upcasters, origins, streamId, { from, to, origin });
  const system = streamId === SystemEventStreams.streamId;
  // With an upper bound, a planner without statistics would sort all remaining rows for every page.
  const inPages = 'AND stream_position >= $1 ORDER BY stream_position LIMIT $2';
  const text = system
    ? `SELECT ${systemColumns} FROM svc_system_events WHERE true ${inPages}`
    : `(SELECT ${eventColumns} FROM svc_events WHERE origin = 0 AND stream_id = $3 ${inPages}) ${orArchived}`;
  const last = to ?? Number.MAX_SAFE_INTEGER;
  for (let next = Math.max(1, from); next <= last;) {
    const size = Math.min(pageSize, Math.floor(last) - next + 1);
    const values = system ? [next, size] : [next, size, streamId];
    const name = system ? 'svc_read_system' : 'svc_read';
    const found = await database.rows({ name, text, values, signal });
    const page = found.filter(isEvent);
    // Positions have no gaps: what is missing in front is archived.
    const first = page[0]?.[2];
    if (first === undefined ? found.length > 0 : Number(first) > next)
      await mustHoldStreams(database, [streamId]);
    for (const event of await openEvents(page, upcasters)) yield upcasters.apply(event);
    if (page.length < size) return;
    next = positionOf(page, 2) + 1;
  }
}

/** A row without a position if a part of the stream is archived that reaches as far as is asked for. */
const orArchived = `UNION ALL SELECT NULL, h.stream_id, h.position, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0::smallint
  FROM svc_stream_heads h WHERE h.stream_id = $3 AND h.origin = 0 AND h.position >= $1
    AND EXISTS (SELECT 1 FROM svc_segments s WHERE s.state = 'archived' AND s.high > h.first_global)`;

const isEvent = (row: Row): boolean => row[0] !== null;

const readAllText = (filtered: boolean): string => {
  const where = `WHERE global_position > $1${filtered ? ' AND event_type = ANY($3)' : ''} ORDER BY global_position LIMIT $2`;
  return `SELECT * FROM (SELECT ${eventColumns} FROM svc_events ${where}) e
      WHERE (SELECT svc_must_hold($1, ${filtered ? '$3' : 'NULL'}))
    UNION ALL SELECT * FROM (SELECT ${systemColumns} FROM svc_system_events ${where}) s
    ORDER BY global_position LIMIT $2`;
};

async function* readAll(
  database: Database,
  upcasters: Upcasters,
  origins: OriginStores,
  { after, limit, types }: ReadAll,
): AsyncIterable<StoredEvent> {
  let remaining = limit ?? Number.POSITIVE_INFINITY;
  for (let last = after; remaining > 0;) {
    const size = Math.min(pageSize, remaining);
    const values: unknown[] = [last, size];
    if (types !== undefined) values.push(types);
    const name = types === undefined ? 'svc_read_all' : 'svc_read_types';
    const page = await database.rows({ name, text: readAllText(types !== undefined), values });
    const storeOf = await origins.of(page);
    for (const event of await openEvents(page, upcasters, storeOf)) yield upcasters.apply(event);
    if (page.length < size) return;
    remaining -= page.length;
    last = positionOf(page, 0);
  }
}

const positionOf = (page: readonly Row[], column: number): number => Number(page.at(-1)?.[column]);

async function lastPosition(database: Database, streamId: Uuid): Promise<Long> {
  if (!isUuid(streamId)) return 0;
  const [row] = await database.rows(
    streamId === SystemEventStreams.streamId
      ? { text: 'SELECT max(stream_position) FROM svc_system_events' }
      : {
          name: 'svc_last',
          // Where nothing of it is left, its head is.
          text: `SELECT coalesce((SELECT max(stream_position) FROM svc_events WHERE origin = 0 AND stream_id = $1),
            (SELECT position FROM svc_stream_heads WHERE origin = 0 AND stream_id = $1))`,
          values: [streamId],
        },
  );
  return Number(row?.[0] ?? 0);
}
