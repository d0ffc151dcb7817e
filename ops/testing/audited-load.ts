import * as assert from 'uvu/assert';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { readStoredState } from '../chaos/harness/stored-state.js';
import { createOrder, type Load, orderIdIn } from './order-load.js';
import type { SpawnedHost } from './spawned-host.js';

/** 0 acknowledged commands without their CommandAudited, 0 events without exactly one EventAudited, 0 duplicates. */
export async function mustBeAuditedOnce(url: string, load: Load, host: SpawnedHost): Promise<void> {
  for (const key of load.unanswered) {
    const answer = await createOrder(host.url, key);
    assert.is(answer.status, 200);
    load.acknowledged.set(key, orderIdIn(answer));
  }
  const database = openDatabase({ url });
  try {
    const { events, commandAudits, orphans } = await readStoredState(database);
    const orders = [...load.acknowledged.values()].toSorted();
    assert.equal(events.map(({ streamId }) => streamId).toSorted(), orders);
    assert.equal(
      events.filter(({ audits }) => audits !== 1),
      [],
    );
    const correlations = events.map(({ correlationId }) => correlationId).toSorted();
    assert.equal(commandAudits.toSorted(), correlations);
    assert.is(orphans, 0);
    const chain = await verifyChain(database);
    assert.equal([chain.ok, chain.records >= 2 * events.length], [true, true]);
  } finally {
    await database.close();
  }
}
