import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openDatabase } from '../../runtime/database/database.js';
import { addService, type Service } from '../../runtime/service/service.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { type PostgresPair, withPostgresPair } from '../../runtime/testing/postgres-pair.js';
import { account, accounts, booked } from '../testing/accounts-perspective.js';
import { timeoutSignal, withPerspectiveHosts } from '../testing/perspective-hosts.js';
import { until } from '../../runtime/kit/until.js';
import { addServicePerspectives } from './add-service-perspectives.js';

const test = suite('perspectives ahead of the log');

interface Scene {
  readonly pair: PostgresPair;
  readonly line: NetworkProxy;
  readonly service: Service;
}

const onLossyPair = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withPostgresPair((pair) =>
    withProxy(pair.url, async (line) => {
      const service = addService()
        .with(postgresEventStore({ url: line.url }))
        .with(addServicePerspectives([accounts()]));
      try {
        await body({ pair, line, service });
      } finally {
        await service.stop();
      }
    }),
  );

/** Commits no longer wait for a standby that receives nothing anymore. */
async function loseStandby(pair: PostgresPair): Promise<void> {
  await pair.admin('ALTER SYSTEM RESET synchronous_standby_names');
  await pair.admin('SELECT pg_reload_conf()');
  await pair.stopStandby();
}

test('after a failover that lost events, the rows match the remaining events', () =>
  onLossyPair(async ({ pair, line, service }) => {
    const log = service.eventStore;
    const [kept, ...lost] = Array.from({ length: 6 }, account);
    await log.append(kept ?? '', booked(1));
    await service.caughtUp('accounts', 1, timeoutSignal());
    await loseStandby(pair);
    for (const one of lost) await log.append(one, booked(100));
    await service.caughtUp('accounts', 1 + lost.length, timeoutSignal());
    await line.cut();
    const promoted = await pair.failOver();
    line.route(promoted);
    await line.restore();

    const fresh = Array.from({ length: 6 }, account);
    for (const one of fresh) await until(() => isTaken(log.append(one, booked(7))));
    const database = openDatabase({ url: promoted });
    // An append that failed may have been stored all the same, and was sent again.
    const events = 'SELECT DISTINCT stream_id FROM svc_events ORDER BY 1';
    const rows = 'SELECT id FROM svc_per_accounts ORDER BY 1';
    await until(async () => {
      const [there, shown] = await Promise.all([
        database.rows({ text: events }),
        database.rows({ text: rows }),
      ]);
      return there.length >= 7 && JSON.stringify(there) === JSON.stringify(shown);
    });
    // The rows are there before the round that wrote them has ended.
    await until(() => service.perspectives[0]?.error === undefined);
    await database.close();
  }));

test('a perspective that is ahead of the log stops, reports it and is repaired by a rebuild', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([accounts()]);
    await service.eventStore.append(account(), booked(1));
    await service.caughtUp('accounts', 1, timeoutSignal());
    await owner.rows({ text: "UPDATE svc_progress SET position = 900 WHERE name LIKE 'svc_per_accounts%'" });
    await service.eventStore.append(account(), booked(2)).catch(() => undefined);
    await until(() =>
      /went back; run svc perspectives rebuild accounts/.test(service.perspectives[0]?.error ?? ''),
    );
    await service.rebuild('accounts', { mode: 'InPlace' });
    await until(() => service.perspectives[0]?.error === undefined && service.perspectives[0]?.lag === 0);
    assert.equal(await owner.rows({ text: 'SELECT count(*) FROM svc_per_accounts' }), [['2']]);
  }));

const isTaken = (append: Promise<unknown>): Promise<boolean> =>
  append.then(
    () => true,
    () => false,
  );
