import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { RebuildMode } from '../../contracts/perspective.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import type { LeaseSettings } from '../../runtime/leases/host-leases.js';
import { type Account, booked } from './accounts-perspective.js';
import { modelOf } from './perspective-hosts.js';

/** What a host in its own process does. */
export interface ProcessOrder {
  /** Its perspectives, all over the same accounts. */
  readonly names?: readonly string[];
  readonly mode?: RebuildMode;
  readonly leases?: LeaseSettings;
  /** Where the process kills itself. */
  readonly failpoints?: string;
}

export interface KilledHosts {
  readonly owner: Database;
  readonly ledger: Ledger;
  readonly start: (order?: ProcessOrder) => ChildProcess;
}

const program = fileURLToPath(builtForProcess(new URL('./perspective-process.js', import.meta.url)));

/** A database with accounts, and hosts that run until they are killed or kill themselves. */
export const withKilledHosts = (body: (hosts: KilledHosts) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const start: KilledHosts['start'] = ({ failpoints = '', ...order } = {}) => {
      const child = spawn(process.execPath, [program, url, JSON.stringify(order)], {
        env: { ...process.env, SVC_FAILPOINTS: failpoints, SVC_LOG: 'fatal' },
        stdio: 'inherit',
      });
      children.push(child);
      ends.push(once(child, 'close'));
      return child;
    };
    const owner = connect({ owner: true });
    try {
      await body({ owner, ledger: new Ledger(openStore(), owner), start });
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    }
  });

export async function mustHaveBeenKilled(child: ChildProcess): Promise<void> {
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  assert.is(signal, 'SIGKILL');
}

/** Expires the leases of dead processes, and their claim to a share. */
export async function expireLeases(owner: Database): Promise<void> {
  await owner.rows({ text: "UPDATE svc_hosts SET seen_at = seen_at - interval '1 hour'" });
  await owner.rows({ text: "UPDATE svc_rebuilds SET lease_until = '-infinity'" });
  await owner.rows({ text: "UPDATE svc_leases SET lease_until = '-infinity'" });
}

type Booking = readonly [at: number, amount: number];

/** Amounts booked on accounts, some of them late, and the model that every perspective must reach. */
class Ledger {
  readonly #booked = new Map<Uuid, Booking[]>(Array.from({ length: 7 }, () => [newUuid(), []]));

  constructor(
    private readonly store: PostgresStore,
    private readonly owner: Database,
  ) {}

  get size(): number {
    return this.#booked.size;
  }

  async write(count: number): Promise<void> {
    const accounts = [...this.#booked];
    for (let n = 0; n < count; n++) {
      const [stream, entries]: [Uuid, Booking[]] = accounts[n % accounts.length] ?? ['', []];
      const isLate = n % 11 === 10;
      const at = isLate
        ? (entries[0]?.[0] ?? 0) - 60_000
        : (entries.at(-1)?.[0] ?? Date.now() - 3_600_000) + 1_000;
      await this.store.append(stream, booked(n), { occurredAt: new Date(at).toISOString() });
      if (isLate) entries.unshift([at, n]);
      else entries.push([at, n]);
    }
  }

  async mustBeIn(...views: readonly string[]): Promise<void> {
    for (const view of views)
      for (const [stream, entries] of this.#booked)
        assert.equal(
          (await modelOf<Account>(this.owner, stream, view))?.amounts,
          entries.length === 0 ? undefined : entries.map(([, amount]) => amount),
        );
  }
}

/** Whether this many perspectives have folded everything. */
export const haveCaughtUp = (owner: Database, count: number) => async (): Promise<boolean> => {
  const [row] = await owner.rows({
    text: `SELECT count(*) = $1 AND bool_and(position >= (SELECT max(global_position) FROM svc_events)) FROM svc_progress WHERE name LIKE 'svc_per_%'`,
    values: [count],
  });
  return row?.[0] === 't';
};
