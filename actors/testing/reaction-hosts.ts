import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { OrderPlaced } from './stock-reactions.js';

interface ReactionHosts {
  readonly owner: Database;
  readonly store: PostgresStore;
  /** A host in its own process that reserves stock for every order. */
  start(failpoints?: string): ChildProcess;
}

const program = fileURLToPath(builtForProcess(new URL('./reaction-process.js', import.meta.url)));
const orders: readonly Uuid[] = Array.from({ length: 12 }, () => newUuid());

export const withReactionHosts = (body: (hosts: ReactionHosts) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const start = (failpoints = ''): ChildProcess => {
      const env = { ...process.env, SVC_FAILPOINTS: failpoints, SVC_LOG: 'fatal' };
      const child = spawn(process.execPath, [program, url], { env, stdio: 'inherit' });
      children.push(child);
      ends.push(once(child, 'close'));
      return child;
    };
    try {
      await body({ owner: connect({ owner: true }), store: openStore(), start });
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    }
  });

export async function placeOrders(
  store: PostgresStore,
  count: number,
  item: (n: number) => string = String,
): Promise<void> {
  for (let n = 0; n < count; n++) {
    const orderId = orders[n % orders.length] ?? '';
    const payload = OrderPlaced.of({ orderId, item: item(n) });
    const timestamp = new Date().toISOString();
    const envelope = {
      messageId: newUuid(),
      messageType: 'OrderPlaced',
      streamId: orderId,
      payload,
      timestamp,
      v: 1,
    };
    await store.append(orderId, envelope);
  }
}

export const countIn = async (owner: Database, from: string): Promise<number> =>
  Number((await owner.rows({ text: `SELECT count(*) FROM ${from}` }))[0]?.[0]);

/** The effects of the reaction. */
export const reserved = "svc_events WHERE event_type = 'StockReserved'";

/** Lost, doubled, unaudited, and out of the order of their stream. */
export async function faultsIn(owner: Database, expected: number) {
  const effects = await countIn(owner, reserved);
  const distinct = await countIn(owner, `(SELECT DISTINCT stream_id, data ->> 'item' FROM ${reserved}) d`);
  const audited = await countIn(
    owner,
    "svc_system_events WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'ReserveStock'",
  );
  const disordered = await countIn(
    owner,
    `(SELECT (data ->> 'item')::int < lag((data ->> 'item')::int) OVER (PARTITION BY stream_id ORDER BY stream_position) AS wrong
      FROM ${reserved}) w WHERE wrong`,
  );
  return { lost: expected - distinct, doubled: effects - distinct, unaudited: effects - audited, disordered };
}

export const noFaults = { lost: 0, doubled: 0, unaudited: 0, disordered: 0 };
