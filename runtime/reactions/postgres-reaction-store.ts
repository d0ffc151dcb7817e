import type { AsideKey, ReactionStore, StoredProcess, StoredTimer } from '../../contracts/reaction-store.js';
import type { ProcessStatus } from '../../contracts/unit-lists.js';
import type { Database, Row } from '../database/database.js';
import { readObjects } from '../database/read-objects.js';
import { isNewer } from '../lang/compare-versions.js';
import { readTogether } from '../lang/read-together.js';
import { timestampOf } from '../store/stored-rows.js';
import { chunkAndRest, restsOfHosts } from '../lang/in-chunks.js';

const timerColumns = `id, kind, name, key, svc_time_text(due_at) AS "dueAt", extract(epoch FROM statement_timestamp() - due_at) * 1000 AS "lateMs",
  svc_time_text(set_at) AS "setAt", expires_ms AS "expiresMs", attempts, parked, error, data, context`;

/** The bound must not be volatile: it would be no index condition, and every pending timer would be read. */
const dueTimersText = `SELECT ${timerColumns} FROM unnest($1::int[]) p CROSS JOIN LATERAL (SELECT * FROM svc_timers v
  WHERE v.part = p AND NOT v.parked AND v.kind <> 'effect' AND v.due_at <= statement_timestamp() AND v.name || E'\\n' || coalesce(v.context #>> '{scope,tenantId}', '') <> ALL ($3::text[]) ORDER BY v.part, v.due_at, v.id LIMIT $2) t
  ORDER BY t.due_at, id LIMIT $2`;

const parkedText = `SELECT ${timerColumns} FROM svc_timers WHERE parked AND kind <> 'effect' AND part = ANY($1::int[])
  AND (split_part(error, ':', 1) = ANY($2::text[]) OR context ->> 'parkedBy' <> $3) ORDER BY due_at, id LIMIT $4`;

/** Together with when the next one is due. */
export const dueAndNextText = `SELECT n.ms, row_to_json(d) FROM (SELECT extract(epoch FROM min(t.due_at) - statement_timestamp()) * 1000 AS ms
  FROM unnest($1::int[]) p CROSS JOIN LATERAL (SELECT v.due_at FROM svc_timers v WHERE v.part = p AND NOT v.parked AND v.kind <> 'effect'
    AND v.due_at > statement_timestamp() ORDER BY v.part, v.due_at, v.id LIMIT 1) t) n
  LEFT JOIN (${dueTimersText}) d ON true ORDER BY d."dueAt", d.id`;

const asideText = (which: string): string => `SELECT key, position, state, attempts,
    greatest(0, extract(epoch FROM next_attempt_at - statement_timestamp()) * 1000) AS "retryInMs", error,
    coalesce(given_up = position, false) AS "isGivenUp"
  FROM svc_stuck_work WHERE follower = $1 AND key > $2${which} ORDER BY key LIMIT $3`;
const allAside = { name: 'svc_stuck_keys', text: asideText('') };
const retrying = { name: 'svc_retrying_keys', text: asideText(" AND state = 'retrying'") };
/** How many rows are read at once: requests wait while they are decoded. */
const asidePage = 1_000;

const instancesText = `SELECT p.* FROM unnest($1::text[], $2::text[]) i(name, key) CROSS JOIN LATERAL (
  SELECT name, key, revision, version, state, status, snapshot, trail, error, started_at, updated_at
    FROM svc_processes v WHERE v.name = i.name AND v.key = i.key LIMIT 1) p`;
/** How many instances are read at once: requests wait while they are decoded. */
const instancesAtOnce = 64;

const reservedText = `SELECT EXISTS (SELECT 1 FROM unnest($1::uuid[], $2::text[], $3::text[]) n(key, owner, released)
  JOIN svc_reservations v ON v.key = n.key AND coalesce(v.until > statement_timestamp(), true)
  WHERE v.owner <> n.owner AND v.owner IS DISTINCT FROM n.released)`;

const timersText = `SELECT ${timerColumns} FROM svc_timers WHERE key = $3 AND name = $2 AND kind = $1 AND kind <> 'effect' ORDER BY due_at, id`;

export const postgresReactionStore = (
  database: Pick<Database, 'rows'>,
  noteVersion = notingVersions(database),
): ReactionStore => ({
  takeCursor: async (name, start, version, signal) => {
    const [[epoch, position, done] = []] = await database.rows({
      text: 'SELECT * FROM svc_take_cursor($1, $2)',
      values: [name, start === 'head'],
    });
    if (version !== undefined) await noteVersion({ name, epoch: Number(epoch), version }, signal);
    return { epoch: Number(epoch), position: Number(position), done: positionsOf(done) };
  },
  asideKeys: (cursor) => readAside(database, cursor),
  retryingKeys: (cursor, after, limit) =>
    readObjects(database, { ...retrying, values: [cursor, after, limit] }),
  dueTimers: async (parts, limit, except = []) => {
    const values = [parts, limit, except];
    const rows = await database.rows({ name: 'svc_due', text: dueAndNextText, values });
    const next = rows[0]?.[0] ?? null;
    const due = rows.flatMap(([, timer]) =>
      typeof timer === 'string' ? [JSON.parse(timer) as StoredTimer] : [],
    );
    return { due, nextInMs: next === null ? null : Number(next) };
  },
  parkedTimers: (parts, codes, version, limit) =>
    readObjects(database, { text: parkedText, values: [parts, codes, version, limit] }),
  process: processReader(database),
  isReserved: async (names) => {
    const values = [
      names.map(({ key }) => key),
      names.map(({ owner }) => owner),
      names.map(({ released }) => released),
    ];
    const [[is] = []] = await database.rows({ name: 'svc_reserved', text: reservedText, values });
    return is === 't';
  },
  timersOf: (kind, name, key) =>
    readObjects(database, { name: 'svc_timers_of', text: timersText, values: [kind, name, key] }),
});

/** Steps that begin together read their instances together. */
function processReader(database: Pick<Database, 'rows'>): ReactionStore['process'] {
  const read = readTogether(async (ids: readonly string[]) => {
    const found = new Map<string, Row>();
    for (let from = 0; from < ids.length; from += instancesAtOnce) {
      const some = ids.slice(from, from + instancesAtOnce).map((id) => id.split(separator));
      const values = [some.map(([name]) => name), some.map(([, key]) => key)];
      const rows = await database.rows({ name: 'svc_instances', text: instancesText, values });
      for (const row of rows) found.set(`${row[0]}${separator}${row[1]}`, row);
    }
    return found;
  });
  return async (name, key) => {
    const row = await read(name + separator + key);
    return row && processOf(row);
  };
}

/** No text of PostgreSQL contains it. */
const separator = '\0';

async function readAside(database: Pick<Database, 'rows'>, cursor: string): Promise<readonly AsideKey[]> {
  const keys: AsideKey[] = [];
  for (;;) {
    const values = [cursor, keys.at(-1)?.key ?? '', asidePage];
    const page = await readObjects<AsideKey>(database, { ...allAside, values });
    keys.push(...page);
    if (page.length < asidePage) return keys.sort((one, other) => one.position - other.position);
  }
}

interface TakenCursor {
  readonly name: string;
  readonly epoch: number;
  readonly version: string;
}

/** After a cursor was taken: hosts of the earlier version cannot park a released key again. */
function notingVersions(database: Pick<Database, 'rows'>) {
  // One chunk of a host after the other: together they would lock the log most of the time. The cursors take turns, so
  // that none waits for all keys of another.
  let earlier: Promise<unknown> = Promise.resolve();
  return async ({ name, epoch, version }: TakenCursor, signal: AbortSignal | undefined): Promise<void> => {
    const [[last = null] = []] = await database.rows({
      name: 'svc_taken_by',
      text: 'SELECT version FROM svc_progress WHERE name = $1',
      values: [name],
    });
    if (last === version) return;
    const chunk = async (): Promise<boolean> => {
      const [[isNoted] = []] = await database.rows({
        text: 'SELECT svc_note_version($1, $2, $3, $4)',
        values: [name, epoch, version, isNewer(version, last)],
      });
      return isNoted !== 't';
    };
    const release = () => chunkAndRest(chunk, restsOfHosts, signal);
    const inTurn = (): Promise<boolean> => {
      const ended = earlier.then(release, release);
      earlier = ended;
      return ended;
    };
    while (await inTurn());
  };
}

const positionsOf = (array: string | null | undefined): number[] =>
  array && array.length > 2 ? array.slice(1, -1).split(',').map(Number) : [];

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
