import { userInfo } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { until } from '../../runtime/testing/until.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { svc as spawnSvc, withOrders } from '../testing/spawned-host.js';

const test = suite('svc perspectives');

const order = {
  customerId: '018F0000-0000-7000-8000-00000000000A',
  lineItems: [{ productId: 'bread', quantity: 3, unitPrice: '1.10' }],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
};

const headers = { 'content-type': 'application/json', prefer: 'wait=20' };

async function place(url: string): Promise<string> {
  const answer = await fetch(`${url}/orders`, { method: 'POST', headers, body: JSON.stringify(order) });
  return ((await answer.json()) as { orderId: string }).orderId;
}

const spoil = (url: string) => query(url, "UPDATE svc_per_order_summary SET status = 'lost'");
const statuses = (url: string) => query(url, 'SELECT DISTINCT status FROM svc_per_order_summary');
const actions = (url: string) =>
  query(
    url,
    `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason' FROM svc_system_stream
      WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
  );
const operatorToken = 'an-operator-of-all-the-orders-of-a-shop';
const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;

test('a running host does a requested rebuild; if no host runs, the application must be given', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    await withOrders({ ...env, SVC_AUDIT: 'all', SVC_OPERATOR_TOKEN: operatorToken }, async (host) => {
      const id = await place(host.url);
      await place(host.url);
      const list = JSON.parse((await svc(['perspectives', 'list', '--json'], env)).stdout) as object[];
      assert.equal(Object.keys(list[0] ?? {}), ['name', 'position', 'lag', 'state']);
      await spoil(url);
      const { code, stdout, stderr } = await svc(
        ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen', '--json', '--reason', 'spoilt'],
        { ...env, SVC_ACTOR: 'ann' },
      );
      assert.is(code, 0, stderr);
      const { mode, streams, events } = parsed(stdout);
      assert.equal([mode, streams, events], ['BlueGreen', 2, 2]);
      assert.equal(await statuses(url), [['created']]);
      await spoil(url);
      const chosen = [
        'perspectives',
        'rebuild',
        'order-summary',
        '--mode',
        'SelectedStreams',
        '--stream',
        id,
      ];
      assert.match(
        (await svc(chosen, env)).stdout,
        /^Rebuilt order-summary \(SelectedStreams\): 1 streams, 1 events/,
      );
      assert.equal(new Set((await statuses(url)).flat()), new Set(['created', 'lost']));
      const answer = await fetch(`${host.url}/console/api/perspectives/order-summary/rebuild`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${operatorToken}` },
        body: JSON.stringify({ mode: 'InPlace' }),
      });
      assert.equal(
        [answer.status, await answer.json()],
        [200, { rebuilding: 'order-summary', mode: 'InPlace' }],
      );
      // The tables of a rebuild that still runs are kept.
      const cleaned = async () => (await svc(['perspectives', 'clean'], env)).stdout;
      await until(async () => /^dropped table svc_old_per_order_summary_/.test(await cleaned()));
    });
    const types = await query(
      url,
      "SELECT DISTINCT event_type FROM svc_system_stream WHERE event_type LIKE 'PerspectiveRebuild%' ORDER BY 1",
    );
    assert.equal(
      types.flat().filter((type) => type !== 'PerspectiveRebuildProgress'),
      ['PerspectiveRebuildCompleted', 'PerspectiveRebuildStarted'],
    );
    await query(url, "UPDATE svc_leases SET lease_until = '-infinity'");
    const rebuild = ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen'];
    assert.match(
      (await svc(rebuild, env)).stderr,
      /^svc: No host runs order-summary; start one, or give the application:/,
    );
    await spoil(url);
    assert.is((await spawnSvc([...rebuild, '--app', 'examples/orders'], env)).code, 0);
    assert.equal(await statuses(url), [['created']]);
    const user = userInfo().username;
    const acted = (await actions(url)).map((row) => row.join(' '));
    assert.equal(
      acted.filter((row) => !row.startsWith('perspectives clean')),
      [
        'perspectives rebuild order-summary ann spoilt',
        `perspectives rebuild order-summary ${user} `,
        'perspectives rebuild order-summary operator-token ',
        `perspectives rebuild order-summary ${user} `,
      ],
    );
    assert.ok(acted.some((row) => row.startsWith('perspectives clean table svc_old_per_order_summary_')));
  }));

const listed = async (url: string): Promise<readonly string[]> => {
  const { stdout } = await svc(['perspectives', 'list', '--json'], { DATABASE_URL: url });
  return (JSON.parse(stdout) as { name: string; position: number }[]).map(
    ({ name, position }) => `${name} ${position}`,
  );
};

test('a perspective that no host runs can be removed with everything kept about it, and may come back', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    assert.is((await svc(['migrate', exampleHere('orders')], env)).code, 0);
    const remove = (name: string) => svc(['perspectives', 'remove', name, '--reason', 'retired'], env);
    await query(
      url,
      `UPDATE svc_progress SET position = 7 WHERE name LIKE 'svc_per_order%';
        INSERT INTO svc_leases(name, lease_until) SELECT table_name, 'infinity' FROM svc_perspectives WHERE name LIKE 'order%'`,
    );
    assert.match(
      (await remove('order-summary')).stderr,
      /^svc: A host runs order-summary; deploy a version of the/,
    );
    await query(url, "UPDATE svc_leases SET lease_until = '-infinity'");
    assert.match(
      (await remove('order-sum')).stderr,
      /^svc: There is no perspective 'order-sum'; there are: /,
    );
    assert.is((await remove('order-summary')).stdout, 'Removed order-summary.\n');
    assert.equal(
      (await listed(url)).filter((one) => one.startsWith('order-summary')),
      [],
    );
    assert.equal(
      await query(url, "SELECT relname FROM pg_class WHERE relname LIKE 'svc\\_%order\\_summary%'"),
      [],
    );
    assert.equal(await query(url, "SELECT proname FROM pg_proc WHERE proname LIKE '%order_summary%'"), []);
    assert.equal((await actions(url)).at(-1), [
      'perspectives remove',
      'order-summary',
      userInfo().username,
      'retired',
    ]);
    assert.is((await svc(['migrate', exampleHere('orders')], env)).code, 0);
    assert.ok((await listed(url)).includes('order-summary 0'));
  }));

test('a cancelled rebuild ends at once, is reported as failed, and the old model stays', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    await withOrders({ ...env, SVC_AUDIT: 'all' }, async (host) => {
      await Promise.all(Array.from({ length: 60 }, () => place(host.url)));
      await spoil(url);
      const slow = ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen', '--max-rate', '1'];
      const rebuilding = spawnSvc(slow, env);
      const state = async () => (await query(url, 'SELECT state FROM svc_rebuilds'))[0]?.[0];
      await until(async () => (await state()) === 'replaying');
      const cancelled = await svc(['perspectives', 'cancel', 'order-summary'], env);
      assert.is(cancelled.stdout, 'Cancelling the rebuild of order-summary.\n', cancelled.stderr);
      const { code, stderr } = await rebuilding;
      assert.equal([code, stderr], [1, 'svc: The rebuild of order-summary was cancelled.\n']);
      assert.is(await state(), 'cancelled');
      assert.equal(await statuses(url), [['lost']]);
      const failures = await query(
        url,
        "SELECT event_type, data ->> 'error' FROM svc_system_stream WHERE event_type LIKE 'PerspectiveRebuildFailed'",
      );
      assert.equal(failures, [['PerspectiveRebuildFailed', 'cancelled']]);
      assert.equal(
        (await actions(url)).map(([action]) => action),
        ['perspectives rebuild', 'perspectives cancel'],
      );
      assert.equal(await query(url, "SELECT relname FROM pg_class WHERE relname LIKE 'svc_new_per%'"), []);
    });
  }));

test('a parked row keeps its state, its reads report it, and parked lists and releases it', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url, SVC_ACTOR: 'ida' };
    await withOrders({ ...env, SVC_AUDIT: 'all' }, async (host) => {
      const good = await fetch(`${host.url}/orders`, {
        method: 'POST',
        headers,
        body: JSON.stringify(order),
      });
      assert.equal(
        [good.headers.get('preference-applied'), good.headers.get('svc-model')],
        ['wait=20', null],
      );
      const [[table] = []] = await query(
        url,
        "SELECT table_name FROM svc_perspectives WHERE name = 'order-summary'",
      );
      await query(url, `ALTER TABLE ${table ?? ''} ADD CONSTRAINT cheap CHECK (total < 100)`);
      const dear = { ...order, lineItems: [{ productId: 'cake', quantity: 1, unitPrice: '100.00' }] };
      const bad = await fetch(`${host.url}/orders`, { method: 'POST', headers, body: JSON.stringify(dear) });
      const { orderId } = (await bad.json()) as { orderId: string };
      assert.equal([bad.status, bad.headers.get('preference-applied')], [200, null]);
      assert.is(bad.headers.get('svc-model'), 'parked');
      const read = await fetch(`${host.url}/orders/${orderId}`);
      assert.equal([read.status, read.headers.get('svc-model')], [404, 'parked']);
      // System events that follow the command move the head; the cursor follows them.
      const summary = async (): Promise<Record<string, unknown>> => {
        const { stdout } = await svc(['perspectives', 'list', '--json'], env);
        return (JSON.parse(stdout) as Record<string, unknown>[]).find(
          ({ name }) => name === 'order-summary',
        ) as Record<string, unknown>;
      };
      const waiting = "SELECT 1 FROM svc_processes WHERE state = 'awaitingPayment'";
      // Once both orders wait for their payment, nothing more is stored.
      await until(async () => (await query(url, waiting)).length === 2);
      await until(async () => (await summary())['state'] === 'parked');
      const { lag, parked } = await summary();
      assert.equal([lag, parked], [1, 1]);
      assert.match(
        (await svc(['perspectives', 'list'], env)).stdout,
        /^order-summary +parked +at \d+, 1 behind, 1 parked\n {2}.*violates check constraint/m,
      );
      const verb = ['perspectives', 'parked', 'order-summary'];
      const [row] = JSON.parse((await svc([...verb, '--json'], env)).stdout) as Record<string, unknown>[];
      assert.equal([row?.['key'], row?.['eventType'], row?.['attempts']], [orderId, 'OrderCreated', 3]);
      assert.match(String(row?.['error']), /violates check constraint/);
      assert.match(
        (await svc(verb, env)).stdout,
        new RegExp(`^${orderId}  at \\d+ OrderCreated .*3 attempts`),
      );
      assert.is((await svc([...verb, '--release', 'nobody'], env)).code, 1);
      await query(url, `ALTER TABLE ${table ?? ''} DROP CONSTRAINT cheap`);
      const released = await svc(
        [...verb, '--release', orderId, '--reason', 'cakes are dear', '--json'],
        env,
      );
      assert.equal(parsed(released.stdout), { released: 1 });
      await until(async () => (await fetch(`${host.url}/orders/${orderId}`)).status === 200);
      assert.is((await fetch(`${host.url}/orders/${orderId}`)).headers.get('svc-model'), null);
      const acted = `SELECT data ->> 'action', data ->> 'target', data ->> 'actor', data ->> 'reason'
        FROM svc_system_stream WHERE event_type = 'OperatorActed'`;
      assert.equal(await query(url, acted), [
        ['perspectives release', `order-summary ${orderId}`, 'ida', 'cakes are dear'],
      ]);
      assert.match((await svc(verb, env)).stdout, /^order-summary has no parked rows\./);
    });
  }));

test('a perspective whose table was dropped is listed as failed, and a rebuild by the running host creates it again', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    await withOrders(env, async (host) => {
      await place(host.url);
      const [[name] = []] = await query(
        url,
        "SELECT table_name FROM svc_perspectives WHERE name = 'order-summary'",
      );
      await query(url, `DROP TABLE ${name ?? ''} CASCADE`);
      const states = async () => (await svc(['perspectives', 'list'], env)).stdout;
      assert.match(await states(), /^order-summary +failed /m);
      assert.is((await fetch(`${host.url}/orders`)).status, 503);
      const rebuilt = await svc(['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen'], env);
      assert.match(rebuilt.stdout, /1 streams, 1 events/, rebuilt.stderr);
      assert.match(await states(), /^order-summary +(?:live|catchingUp) /m);
      assert.is((await fetch(`${host.url}/orders`)).status, 200);
    });
  }));

test('bad arguments are reported on one clear line', () =>
  withStore(async (url) => {
    await withOrders({ DATABASE_URL: url }, async () => {
      const refusal = async (...args: string[]) =>
        (await svc(['perspectives', ...args], { DATABASE_URL: url })).stderr;
      assert.match(
        await refusal('rebuild', 'cakes', '--mode', 'InPlace'),
        /^svc: There is no perspective 'cakes'; there are: audit-log, order-summary\.\n$/,
      );
      assert.match(
        await refusal('rebuild', 'cakes', '--mode', 'Fast'),
        /^svc: --mode must be one of BlueGreen, InPlace, SelectedStreams, not 'Fast';/,
      );
      assert.match(
        await refusal('rebuild', 'cakes', '--mode', 'SelectedStreams'),
        /^svc: SelectedStreams needs at least one --stream, and no other mode takes it;/,
      );
      assert.match(
        await refusal('rebuild', 'cakes', '--mode', 'SelectedStreams', '--stream', '7'),
        /^svc: --stream must be a UUID, not '7';/,
      );
      assert.match(await refusal('cancel', 'order-summary'), /^svc: order-summary is not being rebuilt\.\n$/);
    });
  }));
