import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { createOrder } from '../testing/order-load.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { type Host, startHost } from './host.js';
import { probe } from '../testing/probed-host.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { takingAll } from '../testing/taking-all.js';

const test = suite('a store whose neighbor went back in time');

/** As after the promotion of a standby that lacked everything behind the first order. */
async function loseAllButFirst(url: string): Promise<void> {
  const client = await connect(url);
  await client.query('SET session_replication_role = replica');
  const { rows } = await client.query<{ p: string }>(
    'SELECT min(global_position) + 2 AS p FROM svc_events WHERE origin = 0',
  );
  for (const table of ['svc_events', 'svc_system_events'])
    await client.query(`DELETE FROM ${table} WHERE global_position > $1`, [rows[0]?.p]);
  await client.query(`UPDATE svc_progress SET position = least(position, svc_head())`);
  await client.query("UPDATE svc_epochs SET timeline = '0000000A'");
  await client.end();
}

const ownIds = (url: string) => rowsOf(url, 'SELECT event_id FROM svc_events WHERE origin = 0');

for (const [what, settings] of [
  ['', {}],
  [', also when its epoch must be signed', { SVC_BROADCAST: '1' }],
] as const)
  test(`its messages wait as dead letters while those of others arrive, and come in once an operator released it${what}`, () =>
    withEmptyNats((nats) =>
      withStore((north) =>
        withStore((south) =>
          withStore(async (receiver) => {
            const at = (DATABASE_URL: string): Promise<Host> =>
              startHost(
                takingAll(ordersAlone),
                readConfig({ SVC_PORT: '0', DATABASE_URL, NATS_URL: nats, ...settings }),
              );
            const order = async (host: Host): Promise<void> =>
              assert.is((await createOrder(host.url)).status, 200);
            const receivedFrom = async (url: string) => {
              const ids = (await ownIds(url)).flat().map((id) => `'${id}'`);
              return (await rowsOf(receiver, `SELECT 1 FROM svc_events WHERE event_id IN (${ids.join(',')})`))
                .length;
            };
            const hosts = [await at(receiver)];
            try {
              const before = await at(north);
              for (let n = 0; n < 3; n++) await order(before);
              await until(async () => (await receivedFrom(north)) === 3);
              await before.stop();
              await loseAllButFirst(north);
              hosts.push(await at(north), await at(south));
              const [atReceiver, atNorth, atSouth] = hosts;
              assert.ok(atReceiver && atNorth && atSouth);
              await order(atNorth);
              await order(atSouth);
              await until(async () => (await receivedFrom(south)) === 1);
              const wentBack =
                "SELECT data->>'storeId', data->>'epoch' FROM svc_system_stream WHERE event_type = 'OriginWentBack'";
              await until(async () => (await rowsOf(receiver, wentBack)).length > 0);
              const [[id = ''] = []] = await rowsOf(north, 'SELECT id FROM svc_store');
              assert.equal(await rowsOf(receiver, wentBack), [[id, '2']]);
              assert.is(await receivedFrom(north), 1);
              await until(async () => {
                const { checks } = await probe(atReceiver.url, '/health');
                return checks.some(
                  ({ status, detail }) =>
                    status === 'Degraded' && detail?.includes(`Store ${id} went back`) === true,
                );
              });
              // Its signed epoch may arrive before its messages.
              const held = "SELECT 1 FROM svc_dead_letters WHERE last_error LIKE '%went back%'";
              await until(async () => (await rowsOf(receiver, held)).length > 0);
              const env = { DATABASE_URL: receiver };
              assert.match((await svcInProcess(['store', 'status'], env)).stdout, `${id} went back to`);
              for (const args of [
                ['store', 'release', id, '--reason', 'compensated by hand'],
                ['dead-letters', 'replay', '--error', 'went back'],
              ])
                assert.is((await svcInProcess(args, env)).code, 0);
              await until(async () => (await receivedFrom(north)) === 2);
            } finally {
              for (const host of hosts) await host.stop();
            }
          }),
        ),
      ),
    ));
