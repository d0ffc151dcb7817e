import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { newSeed } from '../../runtime/trust/ed25519.js';
import { readConfig } from '../config/config.js';
import { followingService } from '../testing/following-service.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { startHost } from './host.js';

const test = suite('rotated key of a store');

const rotate = ['store', 'rotate-key', '--reason', 'yearly', '--json'] as const;
const newKey = () => newSeed().toString('base64');

for (const [where, keys] of [
  ['in the store', undefined],
  ['in the environment', [newKey(), newKey()]],
] as const)
  test(`with the key ${where}, a strict receiver that is away during two rotations takes what both keys signed`, () =>
    withNats((nats) =>
      withStore((farUrl) =>
        withStore(async (nearUrl) => {
          const env = { SVC_PORT: '0', NATS_URL: nats };
          const farEnv = { ...env, SVC_NAME: 'far', DATABASE_URL: farUrl, SVC_STORE_TRUST: 'strict' };
          const signing = keys && { SVC_SIGNING_KEY: keys[1], SVC_SIGNING_KEY_OLD: keys[0] };
          const first = keys && { SVC_SIGNING_KEY: keys[0] };
          const broadcasting = { SVC_SIGN_MESSAGES: '1', SVC_BROADCAST: '1' };
          const nearEnv = { ...env, SVC_NAME: 'near', DATABASE_URL: nearUrl, ...broadcasting };
          const startNear = (more: object = {}) =>
            startHost(ordersAlone, readConfig({ ...nearEnv, ...more }));
          const startFar = () => startHost(followingService, readConfig(farEnv));
          const one = async (url: string, sql: string) => (await rowsOf(url, sql))[0]?.[0];
          // Makes the store and its key.
          await (await startNear(first)).stop();
          const store = await one(nearUrl, 'SELECT id FROM svc_store');
          const key = await one(nearUrl, `SELECT encode(public_key, 'hex') FROM svc_store`);
          let far = await startFar();
          const near = await startNear(signing);
          const orders = async (count: number) => {
            for (let n = 0; n < count; n++)
              await until(async () => (await createOrder(near.url)).status === 200);
          };
          const allArrive = async () => {
            const sent = await one(nearUrl, 'SELECT count(*) FROM svc_events');
            await until(async () => (await one(farUrl, 'SELECT count(*) FROM svc_events')) === sent);
          };
          try {
            const trust = [
              'stores',
              'trust',
              String(store),
              '--key',
              String(key),
              '--reason',
              'ours',
            ] as const;
            assert.is((await svcInProcess(trust, farEnv)).code, 0);
            await orders(2);
            await allArrive();
            await far.stop();
            await orders(1);
            const cliEnv = { DATABASE_URL: nearUrl, NATS_URL: nats, SVC_NAME: 'near', ...signing };
            const done = await svcInProcess(rotate, cliEnv);
            assert.equal([done.code, done.stderr], [0, '']);
            assert.is((JSON.parse(done.stdout) as { previousKey: string }).previousKey, key);
            await orders(2);
            if (keys === undefined) assert.is((await svcInProcess(rotate, cliEnv)).code, 0);
            await orders(1);
            far = await startFar();
            await allArrive();
            assert.equal(await rowsOf(farUrl, 'SELECT last_error FROM svc_dead_letters'), []);
            const present = await one(nearUrl, `SELECT encode(public_key, 'hex') FROM svc_store`);
            const known = `SELECT 1 FROM svc_origins WHERE store = '${store}' AND encode(public_key, 'hex') = '${present}'`;
            await until(async () => (await rowsOf(farUrl, known)).length === 1);
            await until(async () => {
              const { code, stdout } = await svcInProcess(['audit', 'verify', '--json'], cliEnv);
              const { heads } = JSON.parse(stdout) as {
                heads: readonly { refused: number; agreeing: number }[];
              };
              return code === 0 && heads.every(({ agreeing, refused }) => agreeing > 0 && refused === 0);
            });
          } finally {
            await near.stop();
            await far.stop();
          }
        }),
      ),
    ));
