import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withCopyOf } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { createOrder } from '../testing/order-load.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { storeKey } from '../../runtime/trust/store-key.js';
import { type Host, startHost } from './host.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { takingAll } from '../testing/taking-all.js';

const test = suite('a copy beside its store');

const hostAt = (DATABASE_URL: string, NATS_URL: string): Promise<Host> =>
  startHost(takingAll(ordersAlone), readConfig({ SVC_PORT: '0', DATABASE_URL, NATS_URL }));

const idsText = 'SELECT event_id FROM svc_events WHERE origin = 0';
const idOf = async (url: string): Promise<string | undefined> =>
  (await rowsOf(url, 'SELECT id FROM svc_store'))[0]?.[0];
async function keyOf(url: string): Promise<string> {
  const database = openDatabase({ url });
  const { publicKey } = await storeKey(database, {});
  await database.close();
  return publicKey.toString('hex');
}
const settled = async (url: string): Promise<boolean> =>
  (await rowsOf(url, 'SELECT 1 FROM svc_outbox_pending')).length === 0;

async function order(host: Host, count: number): Promise<void> {
  for (let n = 0; n < count; n++) assert.is((await createOrder(host.url)).status, 200);
}

test('a host refuses a copy; adopted, both run on one broker, and a third store receives every event once', () =>
  withEmptyNats((nats) =>
    withStore((original) =>
      withStore(async (third) => {
        const first = await hostAt(original, nats);
        await order(first, 3);
        await until(() => settled(original));
        await first.stop();
        await withCopyOf(original, async (copy) => {
          const refusal = await thrownBy(() => hostAt(copy, nats));
          const id = await idOf(original);
          assert.match(
            refusal.detail ?? '',
            `This database is a copy of the store ${id}; run svc store adopt`,
          );
          // As if it had been copied before its messages were published.
          await rowsOf(copy, "UPDATE svc_progress SET position = 0 WHERE name = 'outbox'");
          const adopting = ['store', 'adopt', '--reason', 'a rehearsal', '--json'];
          const { code, stdout } = await svcInProcess(adopting, { DATABASE_URL: copy });
          assert.equal([code, JSON.parse(stdout)], [0, { id: await idOf(copy), idBefore: id }]);
          assert.is.not(await idOf(copy), id);
          // NATS drops what is published twice within two minutes; later it would arrive under the new id.
          assert.ok(await settled(copy), 'the copy has nothing to publish');

          const hosts: Host[] = [];
          try {
            for (const url of [original, copy, third]) hosts.push(await hostAt(url, nats));
            const [atOriginal, atCopy] = hosts;
            assert.ok(atOriginal && atCopy);
            await order(atOriginal, 2);
            await order(atCopy, 2);
            const own = new Set(
              [...(await rowsOf(original, idsText)), ...(await rowsOf(copy, idsText))].flat(),
            );
            assert.is(own.size, 7);
            const received = () => rowsOf(third, 'SELECT event_id FROM svc_events');
            await until(async () => (await received()).length >= 7);
            await until(async () => (await settled(original)) && (await settled(copy)));
            // What the copy holds of its original as its own is not received once more.
            await until(
              async () => (await rowsOf(copy, 'SELECT 1 FROM svc_events WHERE origin > 0')).length >= 2,
            );
            assert.equal((await received()).flat().toSorted(), [...own].toSorted());
            const both = (await rowsOf(copy, 'SELECT event_id FROM svc_events')).flat();
            assert.equal([both.length, new Set(both).size], [7, 7]);
          } finally {
            for (const host of hosts) await host.stop();
          }
          const database = openDatabase({ url: copy });
          assert.ok((await verifyChain(database)).ok);
          await database.close();
        });
      }),
    ),
  ));

test('a store that has moved keeps its id and its place in the outbox', () =>
  withStore((original) =>
    withCopyOf(original, async (copy) => {
      const env = { DATABASE_URL: copy };
      const adopting = ['store', 'adopt', '--moved', '--reason', 'a new server'];
      assert.is((await svcInProcess(adopting, env)).code, 0);
      assert.is(await idOf(copy), await idOf(original));
      const again = await svcInProcess(adopting, env);
      assert.equal([again.code, again.stdout], [1, '']);
      assert.match(again.stderr, /is where it was made/);
    }),
  ));

test('a copy of the data directory looks like its store, and is adopted by force only, with a key of its own', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    const [id, key] = [await idOf(url), await keyOf(url)];
    const adopting = ['store', 'adopt', '--reason', 'a rehearsal'];
    assert.match((await svcInProcess(adopting, env)).stderr, /add --force/);
    assert.equal([await idOf(url), await keyOf(url)], [id, key]);
    assert.is((await svcInProcess([...adopting, '--force'], env)).code, 0);
    assert.is.not(await idOf(url), id);
    assert.is.not(await keyOf(url), key);
  }));

test('an adopted copy has nothing to republish, and forgets the streams of its original when it records a namespace', () =>
  withStore(async (url) => {
    await rowsOf(url, "UPDATE svc_store SET namespace = 'shop'");
    await rowsOf(url, `UPDATE svc_broker SET republish_to = 5, streams = '{"events":"2026-01-01"}'`);
    const adopting = ['store', 'adopt', '--force', '--reason', 'a rehearsal'];
    assert.is((await svcInProcess(adopting, { DATABASE_URL: url })).code, 0);
    await rowsOf(url, "SELECT svc_record_namespace('staging')");
    const text = `SELECT s.namespace = 'staging', b.republish_to = 0, b.streams = '{}' FROM svc_store s, svc_broker b`;
    assert.equal((await rowsOf(url, text))[0]?.map(String), ['true', 'true', 'true']);
  }));

test('a store is not adopted while a host runs on it, which would go on under the id before', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    const host = await startHost(ordersAlone, readConfig({ SVC_PORT: '0', ...env }));
    const adopting = ['store', 'adopt', '--force', '--reason', 'a rehearsal'];
    try {
      await order(host, 1);
      const { code, stderr } = await svcInProcess(adopting, env);
      assert.is(code, 1);
      assert.match(
        stderr,
        /A host runs on this database, or did a moment ago: stop the hosts, and try again in \d+ s/,
      );
    } finally {
      await host.stop();
    }
    assert.is((await svcInProcess(adopting, env)).code, 0);
  }));
