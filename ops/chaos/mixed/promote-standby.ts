import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkProxy } from '../../../runtime/testing/network-proxy.js';
import type { PostgresPair } from '../../../runtime/testing/postgres-pair.js';

/** As long as it takes an operator, or a cluster manager, to begin with another standby. */
const aloneMs = 2_000;

/** The primary is lost, and its standby takes over; whether the store is on another timeline then. */
export async function promoteStandby(pair: PostgresPair, ways: readonly NetworkProxy[]): Promise<boolean> {
  const before = await timelineOf(pair);
  const promoted = await pair.failOver();
  for (const way of ways) way.route(promoted);
  await delay(aloneMs);
  await pair.replaceLost();
  return (await timelineOf(pair)) > before;
}

async function timelineOf(pair: PostgresPair): Promise<number> {
  const [row] = await pair.admin('SELECT timeline_id FROM pg_control_checkpoint()');
  return Number(row?.['timeline_id']);
}
