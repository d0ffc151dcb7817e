import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckResult } from '../../contracts/health.js';
import { connect } from '../../runtime/database/connect.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withRabbitMq } from '../../runtime/testing/rabbitmq-server.js';
import { loadApplication } from '../application.js';
import { readConfig } from '../config.js';
import { type Host, startHost } from './host.js';
import { withLine } from '../../runtime/testing/cuttable-line.js';
import { createOrder } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('host health');

const orders = fileURLToPath(new URL('../../../examples/orders', import.meta.url));
const promisedMs = 3_000;

interface Health {
  readonly code: number;
  readonly status: string;
  readonly host: string;
  readonly checks: readonly CheckResult[];
}

async function probe(url: string, path = '/health/ready'): Promise<Health> {
  const answer = await fetch(`${url}${path}`);
  return { code: answer.status, ...((await answer.json()) as Omit<Health, 'code'>) };
}

const named = ({ checks }: Health, status: string): readonly string[] =>
  checks.filter((check) => check.status === status).map(({ name }) => name);

/** How long it takes until readiness says so. */
async function untilReady(url: string, isSo: (health: Health) => boolean): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const health = await probe(url);
    const tookMs = performance.now() - startedAt;
    if (isSo(health)) return tookMs;
    assert.ok(tookMs < 30_000, JSON.stringify(health));
    await delay(20);
  }
}

async function withHost(
  url: string,
  body: (host: Host) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const config = readConfig({ SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: url, ...env });
  const host = await startHost(await loadApplication(orders), config);
  try {
    await body(host);
  } finally {
    await host.stop();
  }
}

/** New sessions are read-only; those that were there are ended, as a fail-over ends them. */
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

test('a host is ready as soon as it listens, and every named check has been asked', () =>
  withDatabase((url) =>
    withHost(url, async (host) => {
      const health = await probe(host.url);
      assert.equal([health.code, health.status, health.host], [200, 'Healthy', 'north']);
      assert.equal(
        health.checks.map(({ name }) => name),
        [
          'subscriptions',
          'svc_relational_db',
          'store_history',
          'cloud_servicebus',
          'outbox_age',
          'event_loop',
          'perspective_lag',
          'clock_skew',
        ],
      );
      const database = health.checks.find(({ name }) => name === 'svc_relational_db');
      assert.ok((database?.latencyMs ?? 0) > 0);
    }),
  ));

test('when the database is gone readiness names it within 3 s, liveness stays, and it is ready again within 3 s of its return', () =>
  withDatabase((direct) =>
    withLine(direct, (line) =>
      withHost(line.url, async (host) => {
        await line.cut();
        const redMs = await untilReady(host.url, ({ code }) => code === 503);
        const red = await probe(host.url);
        assert.equal(named(red, 'Unhealthy'), ['svc_relational_db']);
        assert.is(
          red.checks.find(({ name }) => name === 'svc_relational_db')?.detail,
          'The store cannot be reached; try again soon.',
        );
        assert.is((await probe(host.url, '/health/live')).code, 200);
        await line.restore();
        const greenMs = await untilReady(host.url, ({ code }) => code === 200);
        assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
        assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
        assert.is((await createOrder(host.url)).status, 200);
      }),
    ),
  ));

test('a host on a database that only reads is not ready and says why, and commands are told to come back', () =>
  withDatabase((url) =>
    withHost(url, async (host) => {
      await setReadOnly(url, 'on');
      await untilReady(host.url, ({ code }) => code === 503);
      const red = await probe(host.url);
      assert.equal(named(red, 'Unhealthy'), ['svc_relational_db']);
      assert.is(
        red.checks.find(({ name }) => name === 'svc_relational_db')?.detail,
        'The database is read-only (default_transaction_read_only is on): commands are refused until DATABASE_URL leads to a primary that takes writes.',
      );
      const refused = await createOrder(host.url);
      assert.equal([refused.status, refused.headers['retry-after']], [503, '1']);
      await setReadOnly(url, 'off');
      await untilReady(host.url, ({ code }) => code === 200);
      assert.is((await createOrder(host.url)).status, 200);
    }),
  ));

test('a host that is told to stop fails its readiness first and still answers commands', () =>
  withDatabase((url) =>
    withHost(url, async (host) => {
      host.announceStop();
      const health = await probe(host.url);
      assert.is(health.code, 503);
      assert.equal(named(health, 'Unhealthy'), ['draining']);
      assert.is((await probe(host.url, '/health/live')).code, 200);
      assert.is((await createOrder(host.url)).status, 200);
    }),
  ));

test('after SIGTERM new connections still reach a host that says it is not ready, before it stops accepting', () =>
  withDatabase((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      assert.is((await probe(host.url)).code, 200);
      const ended = host.kill('SIGTERM');
      const seen: string[] = [];
      while (seen.at(-1) !== 'gone') {
        seen.push(
          await probe(host.url).then(
            ({ code }) => String(code),
            () => 'gone',
          ),
        );
      }
      assert.ok(seen.includes('503'), seen.join(' '));
      assert.is((await ended).code, 0);
    }),
  ));

test('when NATS is killed readiness names the bus and the subscriptions within 3 s, commands go on, and it is ready again within 3 s of its return', () =>
  withNatsServer((server) =>
    withDatabase((url) =>
      withHost(
        url,
        async (host) => {
          assert.is((await createOrder(host.url)).status, 200);
          await server.stop();
          const isTold = (health: Health) =>
            named(health, 'Unhealthy').join() === 'subscriptions,cloud_servicebus';
          const redMs = await untilReady(host.url, isTold);
          assert.is((await probe(host.url)).code, 503);
          for (let n = 0; n < 5; n++) assert.is((await createOrder(host.url)).status, 200);
          await server.start();
          const greenMs = await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
          assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
        },
        { NATS_URL: server.url },
      ),
    ),
  ));

test('a NATS that is frozen is named within 3 s, and is ready again when it goes on', () =>
  withNatsServer((server) =>
    withDatabase((url) =>
      withHost(
        url,
        async (host) => {
          server.signal('SIGSTOP');
          const redMs = await untilReady(host.url, (health) =>
            named(health, 'Unhealthy').includes('cloud_servicebus'),
          );
          assert.is((await probe(host.url)).code, 503);
          server.signal('SIGCONT');
          await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
        },
        { NATS_URL: server.url },
      ),
    ),
  ));

test('with AMQP_URL the broker is checked too: red within 3 s when it is killed, green when it is back', () =>
  withRabbitMq((server) =>
    withDatabase((url) =>
      withHost(
        url,
        async (host) => {
          assert.ok(named(await probe(host.url), 'Healthy').includes('amqp_broker'));
          await server.stop();
          const redMs = await untilReady(host.url, ({ code }) => code === 503);
          const red = await probe(host.url);
          assert.equal(named(red, 'Unhealthy'), ['amqp_broker']);
          const { detail } = red.checks.find(({ name }) => name === 'amqp_broker') ?? {};
          assert.match(detail ?? '', /^The AMQP broker at 127\.0\.0\.1:\d+ cannot be reached \(\w+\)\.$/);
          assert.is((await createOrder(host.url)).status, 200);
          await server.start();
          const greenMs = await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
          assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
        },
        { AMQP_URL: server.url },
      ),
    ),
  ));

test('an idle host asks the database no more than once a second', () =>
  withDatabase((url) =>
    withHost(url, async () => {
      const client = await connect(url);
      const transactions = async (): Promise<number> => {
        await client.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await client.query<{ n: string }>(
          'SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()',
        );
        return Number(rows[0]?.n);
      };
      const perSecondIn = async (seconds: number): Promise<number> => {
        const before = await transactions();
        await delay(seconds * 1000);
        // Our own questions are transactions too.
        const own = 3;
        return ((await transactions()) - before - own) / seconds;
      };
      // A connection that is idle tells what it has done up to ten seconds later, a busy machine later still.
      await delay(12_000);
      let perSecond = await perSecondIn(20);
      if (perSecond > 1) perSecond = await perSecondIn(20);
      await client.end();
      assert.ok(perSecond <= 1, `${perSecond} queries a second`);
    }),
  ));

test.run();
