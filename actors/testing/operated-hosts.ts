import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { newUuid } from '../../contracts/uuid.js';
import { AuditPolicy } from '../../runtime/audit/audit-policy.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import type { Database } from '../../runtime/database/database.js';
import { listReactions } from '../../runtime/reactions/reaction-lists.js';
import type { OperatorCall } from '../../runtime/store/operator-action.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { OrderPlaced } from './stock-reactions.js';

const program = fileURLToPath(builtForProcess(new URL('./reaction-process.js', import.meta.url)));

const orders = Array.from({ length: 12 }, () => newUuid());

export const names = { from: 'reserve-stock', to: 'hold-stock' };

const policy = new AuditPolicy(new SystemEventOptions());

export interface Scene {
  readonly owner: Database;
  readonly store: PostgresStore;
  readonly call: OperatorCall;
  start(...args: readonly string[]): ChildProcess;
}

export const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const start = (...args: readonly string[]): ChildProcess => {
      const env = { ...process.env, SVC_LOG: 'silent' };
      const child = spawn(process.execPath, [program, url, ...args], { env, stdio: 'inherit' });
      children.push(child);
      ends.push(once(child, 'close'));
      return child;
    };
    const operator = {
      host: 'desk',
      changedBy: 'ann',
      recordOf: (message: Parameters<typeof systemRecord>[0]) => systemRecord(message, {}, policy),
    };
    try {
      const call = { database: connect(), operator, reason: 'a rename' };
      await body({ owner: connect({ owner: true }), store: openStore(), call, start });
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    }
  });

/** Places orders with the items of these numbers. */
export async function place(
  { store }: Scene,
  from: number,
  to: number,
  itemOf: (n: number) => string = String,
): Promise<void> {
  for (let n = from; n < to; n++) {
    const orderId = orders[n % orders.length] ?? '';
    await store.append(orderId, {
      messageId: newUuid(),
      messageType: 'OrderPlaced',
      streamId: orderId,
      v: 1,
      payload: OrderPlaced.of({ orderId, item: itemOf(n) }),
      timestamp: new Date().toISOString(),
    });
  }
}

export const reserved = async ({ owner }: Scene): Promise<readonly string[]> =>
  (
    await owner.rows({
      text: "SELECT data ->> 'item' FROM svc_events WHERE event_type = 'StockReserved' ORDER BY global_position",
    })
  ).map(([item]) => item ?? '');

export const numbers = (to: number): readonly string[] => Array.from({ length: to }, (_, n) => String(n));

export const sorted = (items: readonly string[]): readonly string[] =>
  items.toSorted((one, other) => Number(one) - Number(other));

export const statesOf = async ({ call }: Scene): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries((await listReactions(call.database)).map(({ name, state }) => [name, state]));

export const killed = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'close');
};
