import * as assert from 'uvu/assert';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readStoredState } from '../chaos/harness/stored-state.js';
import { createOrder, type Load, orderIdIn, startLoad } from './order-load.js';
import { withHost } from './probed-host.js';
import { withOrders } from './spawned-host.js';

/** 0 acknowledged commands without their CommandAudited, 0 events without exactly one EventAudited, 0 duplicates. */
export async function mustBeAuditedOnce(
  url: string,
  load: Load,
  host: { readonly url: string },
): Promise<void> {
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

/** Kills a host under load this often; the next one answers what was left without an answer. */
export const auditedThroughKills = (times: number): Promise<void> =>
  withStore(async (url) => {
    const loads: Load[] = [];
    for (let round = 0; round < times; round++) {
      await withOrders({ DATABASE_URL: url }, async (host) => {
        const load = startLoad({ url: host.url, clients: 64 });
        loads.push(load);
        await load.reached(150 + 100 * round);
        await host.kill('SIGKILL');
        await load.done;
      });
    }
    await withHost(url, async (host) => {
      const all: Load = {
        ...startLoad({ url: host.url, clients: 0 }),
        acknowledged: new Map(loads.flatMap((load) => [...load.acknowledged])),
        unanswered: new Set(loads.flatMap((load) => [...load.unanswered])),
      };
      await mustBeAuditedOnce(url, all, host);
    });
  });
