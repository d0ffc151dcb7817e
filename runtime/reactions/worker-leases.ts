import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { isNewer } from '../migrations/compare-versions.js';

/** A host that runs reactions. */
interface Worker {
  readonly owner: string;
  readonly version: string;
}

interface WorkerTurn {
  readonly held: ReadonlySet<string>;
  /** All live hosts, this one included. */
  readonly workers: readonly Worker[];
  /** When the first lease of another host ends. */
  readonly freeInMs: number;
  /** Another one when the server was replaced: what it holds may lie before what this host has seen. */
  readonly history: string;
}

/** Who runs which cursors. Leases say who should; only the epoch of a cursor says who may. */
export interface WorkerLeases {
  /** Keeps held leases, takes free ones up to the share, and gives one back when there are more. */
  turn(names: readonly string[], share: number, leaseMs: number): Promise<WorkerTurn>;
  /** All live hosts. */
  workers(leaseMs: number): Promise<readonly Worker[]>;
  release(names: readonly string[]): Promise<void>;
}

/** How many cursors a host holds: the newest version runs them, in equal shares. */
export function shareOf(cursors: number, workers: readonly Worker[], version: string): number {
  const newest = workers.reduce(
    (found, worker) => (isNewer(worker.version, found) ? worker.version : found),
    version,
  );
  if (isNewer(newest, version)) return 0;
  const equals = workers.filter((worker) => !isNewer(newest, worker.version)).length;
  return Math.ceil(cursors / Math.max(1, equals));
}

const workersText = `SELECT owner, version FROM svc_workers
  WHERE abs(extract(epoch FROM clock_timestamp() - seen_at)) * 1000 < $1::int`;

/** All that an idle host asks for its reactions, in one question. */
const turnText = `SELECT json_build_object('cursors', (SELECT json_agg(t) FROM svc_worker_turn($1, $2, $3, $4, $5, $6) t),
  'workers', (SELECT json_agg(json_build_object('owner', w.owner, 'version', w.version)) FROM svc_workers w
    WHERE abs(extract(epoch FROM clock_timestamp() - w.seen_at)) * 1000 < $6::int),
  'history', (SELECT e.epoch || ' ' || e.timeline || ' ' || e.at FROM svc_epochs e ORDER BY e.epoch DESC LIMIT 1))`;

interface TurnAnswer {
  readonly cursors:
    | readonly {
        readonly name: string;
        readonly held: boolean;
        readonly remaining_ms: number;
      }[]
    | null;
  readonly workers: readonly Worker[] | null;
  readonly history: string | null;
}

export const postgresWorkerLeases = (
  database: Pick<Database, 'rows'>,
  owner: Uuid,
  host: string,
  version: string,
): WorkerLeases => ({
  workers: async (leaseMs) => {
    const rows = await database.rows({ name: 'svc_workers', text: workersText, values: [leaseMs] });
    return rows.map(([one, its]) => ({ owner: one ?? '', version: its ?? '' }));
  },
  turn: async (names, share, leaseMs) => {
    const [[answer] = []] = await database.rows({
      name: 'svc_worker_turn',
      text: turnText,
      values: [owner, host, version, names, share, leaseMs],
    });
    const { cursors, workers, history } = JSON.parse(answer ?? '{}') as TurnAnswer;
    const others = workers ?? [];
    return {
      held: new Set((cursors ?? []).filter(({ held }) => held).map(({ name }) => name)),
      // The statement does not see the row that it writes.
      workers: others.some((worker) => worker.owner === owner) ? others : [...others, { owner, version }],
      history: history ?? '',
      freeInMs: Math.min(...(cursors ?? []).filter(({ held }) => !held).map(({ remaining_ms: ms }) => ms)),
    };
  },
  release: async (names) => {
    await database.rows({ text: 'SELECT svc_worker_left($1, $2)', values: [owner, names] });
  },
});
