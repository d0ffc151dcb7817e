import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { verifyChain } from '../../runtime/audit/verify-chain.js';
import { openDatabase } from '../../runtime/database/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readFacts } from '../chaos/harness/facts.js';
import { failpoints } from '../chaos/plan.js';
import { anOrder, createOrder, type Load, orderIdIn, startLoad } from '../testing/order-load.js';
import { type SpawnedHost, withOrders } from '../testing/spawned-host.js';

const test = suite('audit of a host');

async function rowsOf(url: string, text: string): Promise<(string | null)[][]> {
  const database = openDatabase({ url });
  try {
    return (await database.rows({ text })).map((row) => [...row]);
  } finally {
    await database.close();
  }
}

/** 0 acknowledged commands without their CommandAudited, 0 events without exactly one EventAudited, 0 duplicates. */
async function mustBeAuditedOnce(url: string, load: Load, host: SpawnedHost): Promise<void> {
  for (const key of load.unanswered) {
    const answer = await createOrder(host.url, key);
    assert.is(answer.status, 200);
    load.acknowledged.set(key, orderIdIn(answer));
  }
  const database = openDatabase({ url });
  try {
    const { events, commandAudits, orphans } = await readFacts(database);
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

for (const place of failpoints.filter((name) => name.startsWith('store') || name.includes('claim'))) {
  test(`a host that dies at ${place} leaves every command and event audited exactly once`, () =>
    withStore(async (url) => {
      const loads: Load[] = [];
      await withOrders({ DATABASE_URL: url, SVC_FAILPOINTS: `${place}@40` }, async (host) => {
        const load = startLoad({ url: host.url, clients: 32 });
        loads.push(load);
        assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
        await load.done;
      });
      await withOrders({ DATABASE_URL: url }, async (host) => {
        const [load] = loads;
        assert.ok(load && load.acknowledged.size + load.unanswered.size > 0);
        await mustBeAuditedOnce(url, load, host);
      });
    }));
}

for (const place of failpoints.filter((name) => !name.startsWith('store') && !name.includes('claim'))) {
  test(`a host that dies at ${place} while a command is recovered stores no audit of it, and answers once`, () =>
    withStore(async (url) => {
      const body = (orderId: string) => ({ orderId, carrier: 'down' });
      const asked = { path: '/orders/ship', headers: { 'idempotency-key': 'ship-1' } };
      let orderId = '';
      await withOrders({ DATABASE_URL: url, SVC_FAILPOINTS: place }, async (host) => {
        orderId = orderIdIn(await createOrder(host.url));
        await post(host.url, body(orderId), asked).catch(() => undefined);
        assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
      });
      await withOrders({ DATABASE_URL: url }, async (host) => {
        const answers = [
          await post(host.url, body(orderId), asked),
          await post(host.url, body(orderId), asked),
        ];
        for (const answer of answers) assert.equal(jsonOf(answer), { orderId, status: 'queued' });
        assert.is(answers[1]?.headers['idempotency-replayed'], 'true');
        const audits = await rowsOf(
          url,
          `SELECT data ->> 'commandType' FROM svc_system_stream WHERE event_type = 'CommandAudited'`,
        );
        assert.equal(audits, [['CreateOrder']]);
        const [chain] = await rowsOf(url, `SELECT count(*) FROM svc_event_stream`);
        assert.equal(chain, ['1']);
      });
    }));
}

test('kill -9 under load, three times over: every command and event is audited exactly once', () =>
  withStore(async (url) => {
    const loads: Load[] = [];
    for (let round = 0; round < 3; round++) {
      await withOrders({ DATABASE_URL: url }, async (host) => {
        const load = startLoad({ url: host.url, clients: 64 });
        loads.push(load);
        await load.reached(150 + 100 * round);
        await host.kill('SIGKILL');
        await load.done;
      });
    }
    await withOrders({ DATABASE_URL: url }, async (host) => {
      const all: Load = {
        ...startLoad({ url: host.url, clients: 0 }),
        acknowledged: new Map(loads.flatMap((load) => [...load.acknowledged])),
        unanswered: new Set(loads.flatMap((load) => [...load.unanswered])),
      };
      await mustBeAuditedOnce(url, all, host);
    });
  }));

test('responseType is the declared name of the result, for REST and GraphQL alike', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      assert.is((await createOrder(host.url)).status, 200);
      const query = 'mutation ($c: CreateOrderInput!) { createOrder(command: $c) { orderId } }';
      const answer = await post(host.url, { query, variables: { c: anOrder } }, { path: '/graphql' });
      assert.is((jsonOf(answer) as { errors?: unknown }).errors, undefined, answer.text);
      const audits = await rowsOf(
        url,
        `SELECT data ->> 'responseType', data ->> 'receptorName', data ->> 'commandType' FROM svc_system_stream
          WHERE event_type = 'CommandAudited'`,
      );
      const expected = ['CreateOrderResult', 'CreateOrderReceptor', 'CreateOrder'];
      assert.equal(audits, [expected, expected]);
    }),
  ));

test('a command that its error-hook recovered is a CommandFailed, and has no CommandAudited', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      const orderId = orderIdIn(await createOrder(host.url));
      await post(host.url, { orderId, carrier: 'down' }, { path: '/orders/ship' });
      await host.kill('SIGTERM');
      const failed = await rowsOf(
        url,
        `SELECT data ->> 'commandType', data ->> 'recovered', data -> 'error' ->> 'message' FROM svc_system_stream
          WHERE event_type = 'CommandFailed'`,
      );
      assert.equal(failed, [['ShipOrder', 'true', 'Carrier down does not answer']]);
      const audited = await rowsOf(
        url,
        `SELECT count(*) FROM svc_system_stream WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'ShipOrder'`,
      );
      assert.equal(audited, [['0']]);
    }),
  ));

for (const [setting, types] of [
  ['all', ['CommandAudited', 'EventAudited']],
  ['events', ['EventAudited']],
  ['commands', ['CommandAudited']],
  ['off', []],
] as const) {
  test(`SVC_AUDIT=${setting} stores ${types.join(' and ') || 'no audit'}`, () =>
    withStore((url) =>
      withOrders({ DATABASE_URL: url, SVC_AUDIT: setting }, async (host) => {
        await createOrder(host.url);
        const stored = await rowsOf(
          url,
          `SELECT DISTINCT event_type FROM svc_system_stream WHERE event_type LIKE '%Audited' ORDER BY 1`,
        );
        assert.equal(stored.flat(), [...types]);
      }),
    ));
}

test.run();
