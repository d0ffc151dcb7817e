import * as assert from 'uvu/assert';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { connect } from '../runtime/database/connect.js';
import { openDatabase } from '../runtime/database/database.js';
import { migrate } from '../runtime/migrations/migrate.js';
import { PostgresIdempotencyGate } from '../runtime/store/postgres-idempotency-gate.js';
import { openPostgresStore } from '../runtime/store/postgres-event-store.js';
import { withStore } from '../runtime/testing/migrated-database.js';
import { until } from '../runtime/kit/until.js';
import { type Bakery, bake, type Kitchen, order, withBakery } from './testing/bakery.js';
import { type Answered, keyed, post, refusalIn } from './testing/http-client.js';

const test = suite('idempotency key across hosts');

interface Town {
  readonly one: Bakery;
  readonly two: Bakery;
  /** Rows of a query, as text. */
  ask(sql: string): Promise<string[]>;
}

/** Two hosts on one database. */
async function withTwoHosts(
  kitchens: { readonly one?: Kitchen; readonly two?: Kitchen },
  body: (town: Town) => Promise<void>,
): Promise<void> {
  await withStore(async (url) => {
    await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
    const ask = async (sql: string) => {
      const client = await connect(url);
      const { rows } = await client.query<Record<string, unknown>>(sql);
      await client.end();
      return rows.map((row) => Object.values(row).map(String).join(' '));
    };
    await withHost(url, 'one', kitchens.one ?? {}, (one) =>
      withHost(url, 'two', kitchens.two ?? {}, (two) => body({ one, two, ask })),
    );
  });
}

async function withHost(
  url: string,
  host: string,
  kitchen: Kitchen,
  body: (bakery: Bakery) => Promise<void>,
): Promise<void> {
  const database = openDatabase({ url, applicationName: host });
  const [row] = await database.rows({ text: 'SELECT id FROM svc_store' });
  const store = openPostgresStore(database, { host });
  const gate = new PostgresIdempotencyGate(database, row?.[0] ?? '');
  try {
    await withBakery({ ...kitchen, shop: { store, gate } }, body);
  } finally {
    await gate.close();
    await store.close();
    await database.close();
  }
}

/** A handler that waits, after it has reported that it runs. */
function paused() {
  let running = (): void => undefined;
  let finish = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    running = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const kitchen: Kitchen = {
    bake: async (...args) => {
      running();
      await finished;
      return bake(...args);
    },
  };
  return { kitchen, started, finish };
}

const replayed = ({ headers }: Answered): boolean => headers['idempotency-replayed'] === 'true';
const events = 'SELECT count(*) FROM svc_event_stream';

test('every host repeats the answer of another host exactly', () =>
  withTwoHosts({}, async ({ one, two, ask }) => {
    const first = await post(one.url, order, keyed('k1'));
    const second = await post(two.url, order, keyed('k1'));
    assert.equal([second.status, second.text, replayed(second)], [200, first.text, true]);
    assert.equal(await ask(events), ['1']);
  }));

test('a refusal by the handler is repeated by every other host', () =>
  withTwoHosts(
    {
      one: {
        bake: () => {
          throw new Problem('sold-out', { status: 410, detail: 'Ünd naught ☹ is left' });
        },
      },
    },
    async ({ one, two, ask }) => {
      const first = await post(one.url, order, keyed('k1'));
      const second = await post(two.url, order, keyed('k1'));
      assert.equal([second.status, second.text, replayed(second)], [410, first.text, true]);
      assert.equal(await ask(events), ['0']);
    },
  ));

test('an answer without a body is repeated as 204 by every other host', () =>
  withTwoHosts({ one: { bake: () => undefined } }, async ({ one, two }) => {
    await post(one.url, order, keyed('k1'));
    const second = await post(two.url, order, keyed('k1'));
    assert.equal([second.status, second.text, replayed(second)], [204, '', true]);
  }));

test('a key used for another body is refused by every host: 422', () =>
  withTwoHosts({}, async ({ one, two }) => {
    await post(one.url, order, keyed('k1'));
    const other = await post(two.url, { ...order, loaves: 9 }, keyed('k1'));
    assert.is(refusalIn(other), '422 idempotency-key-reused');
  }));

test('while one host works on a request, the others answer 409 duplicate-in-flight', () => {
  const { kitchen, started, finish } = paused();
  return withTwoHosts({ one: kitchen }, async ({ one, two, ask }) => {
    const first = post(one.url, order, keyed('k1'));
    await started;
    assert.is(refusalIn(await post(one.url, order, keyed('k1'))), '409 duplicate-in-flight');
    assert.is(refusalIn(await post(two.url, order, keyed('k1'))), '409 duplicate-in-flight');
    finish();
    assert.is((await first).status, 200);
    assert.is(replayed(await post(two.url, order, keyed('k1'))), true);
    assert.equal(await ask(events), ['1']);
  });
});

/** Ends the session that holds host one's lock; the lock is released when its backend has ended. */
async function loseLock(ask: (query: string) => Promise<unknown>): Promise<void> {
  const holders = `FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND application_name = 'one' AND datname = current_database()`;
  assert.equal(await ask(`SELECT pg_terminate_backend(pid) ${holders}`), ['true']);
  while (String(await ask(`SELECT count(*) ${holders}`)) !== '0') await new Promise(setImmediate);
}

test('a host that loses its lock and finishes second returns the answer of the first', () => {
  const { kitchen, started, finish } = paused();
  return withTwoHosts({ one: kitchen }, async ({ one, two, ask }) => {
    const loser = post(one.url, order, keyed('k1'));
    await started;
    await loseLock(ask);
    const winner = await post(two.url, order, keyed('k1'));
    assert.equal([winner.status, replayed(winner)], [200, false]);
    finish();
    const answer = await loser;
    assert.equal([answer.status, answer.text, replayed(answer)], [200, winner.text, true]);
    assert.equal(await ask(events), ['1']);
  });
});

test('a host that loses its lock and still finishes first stores its answer', () => {
  const { kitchen, started, finish } = paused();
  return withTwoHosts({ one: kitchen, two: {} }, async ({ one, two, ask }) => {
    const first = post(one.url, order, keyed('k1'));
    await started;
    await loseLock(ask);
    finish();
    const answer = await first;
    const second = await post(two.url, order, keyed('k1'));
    assert.equal([answer.status, second.text, replayed(second)], [200, answer.text, true]);
    assert.equal(await ask(events), ['1']);
  });
});

test('a hundred keys sent three times to each of two hosts are carried out once each', () =>
  withTwoHosts({}, async ({ one, two, ask }) => {
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, n) =>
        post((n % 200 < 100 ? one : two).url, order, keyed(`k${n % 100}`)),
      ),
    );
    assert.equal(
      answers.filter(({ status }) => status !== 200 && status !== 409),
      [],
    );
    assert.equal(await ask(events), ['100']);
    assert.equal(await ask('SELECT count(*) FROM svc_idempotency'), ['100']);
  }));

test('no lock is left when all requests are answered', () =>
  withTwoHosts({}, async ({ one, two, ask }) => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => post((n % 2 === 0 ? one : two).url, order, keyed(`k${n % 7}`))),
    );
    const left =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    // A replay is answered before the lock that it took is released.
    await until(async () => String(await ask(left)) === '0');
  }));
