import type { AsideKey, ReactionStore, StoredProcess, StoredTimer } from '../../contracts/reaction-store.js';
import type { ProcessStatus, TimerKind } from '../../contracts/unit-lists.js';
import type { Database, Row } from '../database/database.js';
import { isNewer } from '../migrations/compare-versions.js';
import { timestampOf } from '../store/stored-rows.js';

const timerColumns = `id, kind, name, key, due_at, extract(epoch FROM statement_timestamp() - due_at) * 1000, set_at,
  expires_ms, attempts, parked, error, data, context`;

/** The bound must not be volatile: it would be no index condition, and every pending timer would be read. */
export const dueTimersText = `SELECT ${timerColumns} FROM unnest($1::int[]) p CROSS JOIN LATERAL (SELECT * FROM svc_timers v
  WHERE v.part = p AND NOT v.parked AND v.due_at <= statement_timestamp() AND v.name <> ALL ($3::text[]) ORDER BY v.part, v.due_at, v.id LIMIT $2) t
  ORDER BY due_at, id LIMIT $2`;

const parkedText = `SELECT ${timerColumns} FROM svc_timers WHERE parked AND part = ANY($1::int[])
  AND (split_part(error, ':', 1) = ANY($2::text[]) OR context ->> 'parkedBy' <> $3) ORDER BY due_at, id LIMIT $4`;

const nextText = `SELECT extract(epoch FROM min(t.due_at) - statement_timestamp()) * 1000
  FROM unnest($1::int[]) p CROSS JOIN LATERAL (SELECT v.due_at FROM svc_timers v WHERE v.part = p AND NOT v.parked
    AND v.due_at > statement_timestamp() ORDER BY v.part, v.due_at, v.id LIMIT 1) t`;

const asideText = `SELECT key, position, state, attempts,
    greatest(0, extract(epoch FROM next_attempt_at - statement_timestamp()) * 1000), error,
    given_up = position
  FROM svc_aside WHERE cursor = $1 ORDER BY position, key`;

const processText = `SELECT name, key, revision, version, state, status, snapshot, trail, error, started_at, updated_at
  FROM svc_processes WHERE name = $1 AND key = $2`;

const reservedText = `SELECT EXISTS (SELECT 1 FROM unnest($1::uuid[], $2::text[], $3::text[]) n(key, owner, released)
  JOIN svc_reservations v ON v.key = n.key AND coalesce(v.until > statement_timestamp(), true)
  WHERE v.owner <> n.owner AND v.owner IS DISTINCT FROM n.released)`;

const timersText = `SELECT ${timerColumns} FROM svc_timers WHERE key = $3 AND name = $2 AND kind = $1 ORDER BY due_at, id`;

export const postgresReactionStore = (database: Pick<Database, 'rows'>): ReactionStore => ({
  takeCursor: async (name, start, version) => {
    const [[epoch, position, done] = []] = await database.rows({
      text: 'CALL svc_take_cursor($1, $2, NULL, NULL, NULL)',
      values: [name, start === 'head'],
    });
    if (version !== undefined) await noteVersion(database, name, Number(epoch), version);
    return { epoch: Number(epoch), position: Number(position), done: positionsOf(done) };
  },
  asideKeys: async (cursor) =>
    (await database.rows({ name: 'svc_aside', text: asideText, values: [cursor] })).map(asideOf),
  dueTimers: async (parts, limit, except = []) => {
    const values = [parts, limit, except];
    const due = await database.rows({ name: 'svc_due', text: dueTimersText, values });
    const [[next = null] = []] = await database.rows({
      name: 'svc_next_due',
      text: nextText,
      values: [parts],
    });
    return { due: due.map(timerOf), nextInMs: next === null ? null : Number(next) };
  },
  parkedTimers: async (parts, codes, version, limit) =>
    (await database.rows({ text: parkedText, values: [parts, codes, version, limit] })).map(timerOf),
  hasTimers: async () => {
    const text = 'SELECT EXISTS (SELECT 1 FROM svc_timers WHERE NOT parked)';
    const [[has] = []] = await database.rows({ name: 'svc_has_timers', text });
    return has === 't';
  },
  process: async (name, key) => {
    const [row] = await database.rows({ name: 'svc_process', text: processText, values: [name, key] });
    return row && processOf(row);
  },
  isReserved: async (names) => {
    const values = [
      names.map(({ key }) => key),
      names.map(({ owner }) => owner),
      names.map(({ released }) => released),
    ];
    const [[is] = []] = await database.rows({ name: 'svc_reserved', text: reservedText, values });
    return is === 't';
  },
  timersOf: async (kind, name, key) =>
    (await database.rows({ name: 'svc_timers_of', text: timersText, values: [kind, name, key] })).map(
      timerOf,
    ),
});

/** After the cursor was taken: hosts of the earlier version cannot park a released key again. */
async function noteVersion(
  database: Pick<Database, 'rows'>,
  name: string,
  epoch: number,
  version: string,
): Promise<void> {
  const [[last = null] = []] = await database.rows({
    name: 'svc_taken_by',
    text: 'SELECT version FROM svc_progress WHERE name = $1',
    values: [name],
  });
  if (last === version) return;
  await database.rows({
    text: 'CALL svc_note_version($1, $2, $3, $4)',
    values: [name, epoch, version, isNewer(version, last)],
  });
}

const positionsOf = (array: string | null | undefined): number[] =>
  array && array.length > 2 ? array.slice(1, -1).split(',').map(Number) : [];

const asideOf = ([key, position, state, attempts, retryIn, error = null, givenUp]: Row): AsideKey => ({
  key: key ?? '',
  position: Number(position),
  state: state === 'parked' ? 'parked' : 'retrying',
  attempts: Number(attempts),
  retryInMs: Number(retryIn),
  error,
  ...(givenUp === 't' ? { isGivenUp: true } : {}),
});

function timerOf(row: Row): StoredTimer {
  const [id, kind, name, key, dueAt, late, setAt, expires, attempts, parked, error = null, data, context] =
    row;
  return {
    id: id ?? '',
    kind: (kind ?? 'command') as TimerKind,
    name: name ?? '',
    key: key ?? '',
    dueAt: timestampOf(dueAt),
    lateMs: Number(late),
    setAt: timestampOf(setAt),
    expiresMs: expires === null || expires === undefined ? null : Number(expires),
    attempts: Number(attempts),
    parked: parked === 't',
    error,
    data: JSON.parse(data ?? 'null'),
    context: JSON.parse(context ?? 'null'),
  };
}

function processOf(row: Row): StoredProcess {
  const [name, key, revision, version, state, status, snapshot, trail, error = null, started, updated] = row;
  return {
    name: name ?? '',
    key: key ?? '',
    revision: Number(revision),
    version: Number(version),
    state: state ?? '',
    status: (status ?? 'parked') as ProcessStatus,
    snapshot: JSON.parse(snapshot ?? 'null'),
    trail: JSON.parse(trail ?? 'null'),
    error,
    startedAt: timestampOf(started),
    updatedAt: timestampOf(updated),
  };
}
