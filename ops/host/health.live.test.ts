import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { CheckResult } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { explanationOf } from '../console/model/check-explanations.js';
import { createOrder } from '../testing/order-load.js';
import { checksWithStatus, probe, promisedMs, untilReady, withHost } from '../testing/probed-host.js';
import type { Host } from './host.js';

const test = suite('host health');

/** New sessions are read-only; existing ones are terminated, as in a failover. */
async function setReadOnly(url: string, value: 'on' | 'off'): Promise<void> {
  const client = await connect(url);
  const name = new URL(url).pathname.slice(1);
  await client.query('SET default_transaction_read_only = off');
  await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [name],
  );
  await client.end();
}

test('a host is ready as soon as it listens, and every check has run', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      const health = await probe(host.url);
      // A busy machine may keep the event loop waiting.
      const others = health.checks.filter(({ name }) => name !== 'event_loop');
      assert.equal([health.code, health.host], [200, 'north']);
      assert.equal(
        others.filter(({ status }) => status !== 'Healthy'),
        [],
      );
      assert.equal(
        health.checks.map(({ name }) => name),
        [
          'subscriptions',
          'svc_relational_db',
          'store_history',
          'broadcast',
          'cloud_servicebus',
          'outbox_age',
          'event_loop',
          'perspective_lag',
          'reactions',
          'timers',
          'effects',
          'clock_skew',
          'agent_tools',
          'leases',
        ],
      );
      assert.equal(
        health.checks.filter(({ name }) => explanationOf(name) === undefined),
        [],
        'the page explains each',
      );
      const bus = health.checks.find(({ name }) => name === 'cloud_servicebus');
      assert.is(bus?.detail, 'in process, no broker');
      const tools = health.checks.find(({ name }) => name === 'agent_tools');
      assert.match(tools?.detail ?? '', /^5 tools of agents, sha256 [0-9a-f]{16}$/);
      const database = health.checks.find(({ name }) => name === 'svc_relational_db');
      assert.ok((database?.latencyMs ?? 0) > 0);
    }),
  ));

test('when the database is down readiness reports it within 3 s, liveness stays, and the host is ready again within 3 s of its return', () =>
  withStore((direct) =>
    withProxy(direct, (line) =>
      withHost(line.url, async (host) => {
        await line.cut();
        const redMs = await untilReady(host.url, ({ code }) => code === 503);
        // On a busy machine it may only be silent at first.
        await untilPasses(async () => {
          const red = await probe(host.url);
          assert.equal(checksWithStatus(red, 'Unhealthy'), ['svc_relational_db']);
          assert.is(
            red.checks.find(({ name }) => name === 'svc_relational_db')?.detail,
            'The store cannot be reached; try again shortly.',
          );
        });
        assert.is((await probe(host.url, '/health/live')).code, 200);
        await line.restore();
        const greenMs = await untilReady(host.url, ({ code }) => code === 200);
        assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
        assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
        assert.is((await createOrder(host.url)).status, 200);
      }),
    ),
  ));

test('a host on a read-only database is not ready and reports why, and commands get 503 with Retry-After', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await setReadOnly(url, 'on');
      // For a moment the connections are lost, because the setting holds for new ones only.
      await untilPasses(async () => {
        const red = await probe(host.url);
        assert.equal(checksWithStatus(red, 'Unhealthy'), ['svc_relational_db']);
        assert.is(
          red.checks.find(({ name }) => name === 'svc_relational_db')?.detail,
          'The database is read-only (default_transaction_read_only is on): commands are rejected until DATABASE_URL points to a primary that accepts writes.',
        );
      });
      const refused = await createOrder(host.url);
      assert.equal([refused.status, refused.headers['retry-after']], [503, '1']);
      await setReadOnly(url, 'off');
      await untilReady(host.url, ({ code }) => code === 200);
      assert.is((await createOrder(host.url)).status, 200);
    }),
  ));

test('a host that cannot keep what it has seen of its store is Degraded from its start, and says so', () =>
  withFolder((folder) =>
    withStore(async (url) => {
      // A file in place of the folder: root may write into a read-only one.
      const file = join(folder, 'a-file');
      await writeFile(file, '');
      const isKept = async (host: Host): Promise<CheckResult | undefined> =>
        (await probe(host.url, '/health')).checks.find(({ name }) => name === 'store_history');
      await withHost(
        url,
        async (host) => {
          const { status, detail } = (await isKept(host)) ?? {};
          assert.is(status, 'Degraded');
          assert.match(
            detail ?? '',
            /^This host cannot record what it has seen of its store; make SVC_DATA_DIR writable: ENOTDIR/,
          );
          assert.is((await probe(host.url)).code, 200);
          await rm(file);
          await until(async () => (await isKept(host))?.status === 'Healthy');
        },
        { SVC_DATA_DIR: file },
      );
    }),
  ));

test('a host that is stopping first fails its readiness and still answers commands', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      host.announceStop();
      const health = await probe(host.url);
      assert.is(health.code, 503);
      assert.equal(checksWithStatus(health, 'Unhealthy'), ['draining']);
      assert.is((await probe(host.url, '/health/live')).code, 200);
      assert.is((await createOrder(host.url)).status, 200);
    }),
  ));
