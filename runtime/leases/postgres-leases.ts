import { MigrationStatus } from '../../contracts/migration.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { notify } from '../database/notify.js';
import { readObjects } from '../database/read-objects.js';
import type { LeaseGroup, LiveHost } from './shares.js';

/** Where a perspective is, whichever host runs it. */
export interface PerspectiveStanding {
  readonly table: string;
  readonly position: Long;
  readonly head: Long;
  readonly parked: number;
  readonly released: boolean;
  readonly hasUnreportedRewinds: boolean;
  /** A rebuild of any perspective is requested or running. */
  readonly rebuilding: boolean;
  /** Why readers see the previous version: the replay of this one failed. */
  readonly notServed?: string;
}

export interface RunningHost extends LiveHost {
  readonly name: string;
  /** Whether it broadcasts its system messages; null: it does not say. */
  readonly broadcast: boolean | null;
}

/** The store's answer to a host that asks for its leases. */
export interface Turn {
  readonly held: ReadonlySet<string>;
  /** All live hosts, this one included. */
  readonly hosts: readonly RunningHost[];
  /** How long each lease lasts, also those of other hosts; 0: it is free. */
  readonly remainingMs: ReadonlyMap<string, number>;
  /** Another one when the server was replaced: what it holds may lie before what this host has seen. */
  readonly history: string;
  readonly perspectives: readonly PerspectiveStanding[];
  /** The last position of the log. */
  readonly head: Long;
  /** Of what hosts keep a copy of, by the channel that notifies of a change. */
  readonly versions: Readonly<Record<string, string>>;
  /** Whether the command line broadcasts. */
  readonly broadcast: boolean;
}

/** Who runs what. Leases say who should; only the fence of each write says who may. */
export interface Leases {
  readonly owner: Uuid;
  /** Keeps held leases, takes free ones up to the shares, and gives one of a group back when there are more. */
  turn(groups: readonly LeaseGroup[], leaseMs: number, tables: readonly string[]): Promise<Turn>;
  hosts(leaseMs: number): Promise<readonly LiveHost[]>;
  /** Gives these back; `left` is what this host still runs. */
  release(names: readonly string[], left: readonly string[]): Promise<void>;
}

const liveHosts = (ms: string): string =>
  `SELECT id AS owner, name, version, names, broadcast FROM svc_hosts WHERE abs(extract(epoch FROM clock_timestamp() - seen_at)) * 1000 < ${ms}::int`;

/** All that an idle host asks for its followers, in one question. */
const turnText = `SELECT json_build_object(
  'leases', (SELECT json_agg(t) FROM svc_turn($1, $2, $3, $4, $5, $6, $7, $8, $9) t),
  'hosts', (SELECT json_agg(h) FROM (${liveHosts('$9')}) h),
  'history', (SELECT e.epoch || ' ' || e.timeline || ' ' || e.at FROM svc_epochs e ORDER BY e.epoch DESC LIMIT 1),
  'head', svc_head(),
  'versions', (SELECT json_object_agg(v.channel, v.version::text) FROM svc_versions v),
  'broadcast', (SELECT s.broadcast FROM svc_store s),
  'rebuilding', EXISTS (SELECT 1 FROM svc_rebuilds WHERE ended_at IS NULL),
  'perspectives', (SELECT json_agg(json_build_object('table', s.name, 'position', s.at_position,
      'parked', s.parked, 'released', s.released, 'hasUnreportedRewinds', s.owed, 'notServed', m.status_description))
    FROM svc_perspective_states($10) s LEFT JOIN svc_perspectives p ON p.table_name = s.name
      LEFT JOIN svc_schema_migrations m ON m.migration_key = 'perspective/' || p.name
        AND m.status = ${MigrationStatus.Failed} AND m.state ->> 'failedHash' = p.hash))`;

interface TurnAnswer {
  readonly leases:
    | readonly { readonly name: string; readonly held: boolean; readonly remaining_ms: number }[]
    | null;
  readonly hosts: readonly RunningHost[] | null;
  readonly broadcast: boolean | null;
  readonly history: string | null;
  readonly versions: Readonly<Record<string, string>> | null;
  readonly head: Long;
  readonly rebuilding: boolean;
  readonly perspectives:
    | readonly (Omit<PerspectiveStanding, 'head'> & { readonly notServed: string | null })[]
    | null;
}

/** `isMarked`: every session of the host is. */
export function postgresLeases(
  database: Pick<Database, 'rows'>,
  self: Omit<RunningHost, 'names'>,
  isMarked = false,
): Leases {
  const { owner, name, version, broadcast } = self;
  let held: ReadonlySet<string> = new Set();
  return {
    owner,
    turn: async (groups, leaseMs, tables) => {
      const names = groups.flatMap((group) => group.names);
      const numbers = groups.flatMap((group, index) => group.names.map(() => index + 1));
      const shares = groups.map(({ share }) => share);
      const [[answer] = []] = await database.rows({
        name: 'svc_turn',
        text: turnText,
        values: [owner, name, version, broadcast, isMarked, names, numbers, shares, leaseMs, tables],
      });
      const turn = turnOf(JSON.parse(answer ?? '{}') as TurnAnswer, { ...self, names });
      const isGone = names.some((one) => held.has(one) && !turn.held.has(one));
      held = turn.held;
      if (isGone) await notify(database, 'svc_lease');
      return turn;
    },
    hosts: (leaseMs) => readObjects(database, { text: liveHosts('$1'), values: [leaseMs] }),
    release: async (names, left) => {
      await database.rows({ text: 'SELECT svc_leave($1, $2, $3)', values: [owner, names, left] });
      await notify(database, 'svc_lease');
    },
  };
}

function turnOf(
  { leases, hosts, history, head, versions, broadcast, rebuilding, perspectives }: TurnAnswer,
  self: RunningHost,
): Turn {
  // The statement does not see the row that it writes.
  const others = (hosts ?? []).filter(({ owner }) => owner !== self.owner);
  return {
    held: new Set((leases ?? []).filter(({ held }) => held).map(({ name }) => name)),
    hosts: [...others, self],
    remainingMs: new Map((leases ?? []).map(({ name, remaining_ms: ms }) => [name, ms])),
    history: history ?? '',
    head,
    versions: versions ?? {},
    broadcast: broadcast === true,
    perspectives: (perspectives ?? []).map(({ notServed, ...standing }) => ({
      ...standing,
      head,
      rebuilding,
      ...(notServed === null ? {} : { notServed }),
    })),
  };
}
