import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute, withName } from '../../runtime/kit/database.js';
import { until } from '../../runtime/kit/until.js';
import { addressOf } from '../../runtime/move/move-ends.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { listOf, withLogicalServers } from '../../runtime/testing/logical-servers.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { readConfig } from '../config/config.js';
import { startHost } from '../host/host.js';
import { faultsIn, nothingWrong, type OrderLedger, startLedger } from '../testing/order-ledger.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { startCli, svc } from '../testing/spawned-host.js';

const test = suite('svc store move');

/** Each is where a mover dies. */
const steps = [
  'move-begun',
  'move-prepared',
  'move-subscribed',
  'move-sealed',
  'move-copied',
  'move-held',
  'move-drained',
  'move-decided',
  'move-opened',
  'move-unsubscribed',
  'move-unpublished',
];
const decided = steps.indexOf('move-decided');

const move = (url: string, args: readonly string[], failpoint = '') =>
  svc(['store', 'move', ...args], { DATABASE_URL: url, SVC_FAILPOINTS: failpoint });

interface Moving {
  readonly source: string;
  readonly target: string;
  /** As the host lists them. */
  readonly listed: string;
  readonly ledger: OrderLedger;
}

/** What an application has beside the tables of the runtime. */
const application = `CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE bakers (id serial PRIMARY KEY, name text NOT NULL UNIQUE, mood mood NOT NULL DEFAULT 'good',
  upper_name text GENERATED ALWAYS AS (upper(name)) STORED);
CREATE TABLE shifts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, baker int NOT NULL REFERENCES bakers, CHECK (baker > 0));
CREATE INDEX shifts_of ON shifts(baker);
CREATE FUNCTION count_shifts(int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM shifts WHERE baker = $1';
CREATE VIEW busy AS SELECT name, count_shifts(id) AS shifts FROM bakers;
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''kept''; END';
CREATE TRIGGER kept BEFORE DELETE ON bakers FOR EACH ROW EXECUTE FUNCTION refuse();
ALTER TABLE bakers ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON bakers FOR SELECT USING (name = current_user);
GRANT SELECT ON bakers TO svc_runtime;
INSERT INTO bakers(name) VALUES ('ann'), ('bob');
INSERT INTO shifts(baker) VALUES (1), (1), (2);`;

/** A store with sealed segments, a host that lists both servers, and clients that never stop. */
const whileServing = (body: (moving: Moving) => Promise<void>): Promise<void> =>
  withLogicalServers(async ({ urls, listed }) => {
    const [source, target] = urls;
    await migrate({ ownerUrl: source });
    await useSegmentsOf(source, 128);
    await execute(source, application);
    const host = await startHost(ordersAlone, readConfig({ SVC_PORT: '0', DATABASE_URL: listed }));
    const ledger = startLedger(host.url, 4);
    try {
      await ledger.grows(100);
      await execute(source, 'UPDATE svc_store SET segment_size = 1000000');
      assert.is((await svc(['segments', 'seal'], { DATABASE_URL: source })).code, 0);
      await body({ source, target, listed, ledger });
    } finally {
      await ledger.stop();
      await host.stop();
    }
  });

test('killed after each step and resumed, a move loses, doubles and reorders nothing, and the chain holds', () =>
  whileServing(async ({ source, target, listed, ledger }) => {
    for (const [at, step] of steps.entries()) {
      const { code, stderr } = await move(source, at === 0 ? ['--to', target] : ['resume'], step);
      assert.is(code, null, `${step}: ${stderr}`);
      if (at < decided) await ledger.grows(5);
    }
    const ended = await move(listed, ['resume']);
    assert.match(
      [ended.code, ended.stdout, ended.stderr].join(),
      /^0,The store [0-9a-f-]{36} is at 127\.0\.0\.1:\d+\/svc from now on; /,
    );
    await ledger.grows(20);
    await ledger.stop();
    assert.equal(await faultsIn(ledger, target), nothingWrong);
    assert.equal(await leftovers(source, target), ['0', '0']);
    const verified = await svc(['audit', 'verify', '--json'], { DATABASE_URL: listed });
    assert.is((JSON.parse(verified.stdout) as { readonly ok: boolean }).ok, true);
    const acted = `SELECT data ->> 'action', data ->> 'target' FROM svc_system_stream WHERE event_type = 'OperatorActed'`;
    assert.equal(await rowsOf(target, acted), [['store move', addressOf(target)]]);
    assert.equal(await rowsOf(target, 'SELECT name, shifts FROM busy ORDER BY 1'), [
      ['ann', '2'],
      ['bob', '1'],
    ]);
    const next = "INSERT INTO bakers(name) VALUES ('cal') RETURNING id, upper_name";
    assert.equal(await rowsOf(target, next), [['3', 'CAL']]);
    for (const again of [['resume'], ['--to', target]]) assert.is((await move(source, again)).code, 0);
  }));

test('killed and aborted, a store stays where it is, leaves no slot and no row, and can be moved then; writers wait for at most 5 s, also when the mover freezes', () =>
  whileServing(async ({ source, target, listed, ledger }) => {
    for (const step of ['move-subscribed', 'move-drained']) {
      assert.is((await move(source, ['--to', target], step)).code, null, step);
      const aborted = await move(source, ['abort', '--reason', 'not today', '--json']);
      assert.is(aborted.code, 0, aborted.stderr);
      assert.is((JSON.parse(aborted.stdout) as { readonly target: string }).target, addressOf(target));
      assert.equal(await leftovers(source, target), ['0', '0']);
      assert.equal(await rowsOf(target, 'SELECT count(*) FROM svc_store, svc_events'), [['0']]);
      await ledger.grows(5);
    }
    assert.match((await move(source, ['abort'])).stderr, /^svc: No move has begun; [^\n]*\n$/);
    const mover = startCli(['store', 'move', '--to', target, '--json'], { DATABASE_URL: source });
    await until(async () => (await rowsOf(source, holding)).length > 0);
    process.kill(mover.pid, 'SIGSTOP');
    await ledger.grows(20);
    process.kill(mover.pid, 'SIGCONT');
    assert.is((await mover.ended).code, 0, mover.output.stderr.join(''));
    await ledger.grows(20);
    await ledger.stop();
    assert.ok(ledger.longestMs < 5_000, `a writer waited ${ledger.longestMs} ms`);
    assert.equal(await faultsIn(ledger, target), nothingWrong);
    assert.equal(await rowsOf(target, 'SELECT max(epoch) FROM svc_epochs'), [['2']]);
    const late = await move(listed, ['abort']);
    assert.match(late.stderr, /^svc: The store has moved to [^\n]*: that cannot be undone\. [^\n]*\n$/);
    const host = await svc(['start', 'examples/orders'], { DATABASE_URL: source });
    assert.is(host.code, 1);
    assert.match(host.stdout + host.stderr, `The store has moved to ${addressOf(target)}; set DATABASE_URL`);
    const written = execute(source, "INSERT INTO bakers(name) VALUES ('cal')").catch(
      (error: unknown) => error,
    );
    assert.match(String(await written), `the store has moved to ${addressOf(target)}`);
  }));

test('what cannot be moved is refused on one line, and nothing has changed', () =>
  withLogicalServers(async ({ urls: [source, target] }) => {
    await migrate({ ownerUrl: source });
    const refused = async (url: string, args: readonly string[], pattern: RegExp): Promise<void> => {
      const { code, stdout, stderr } = await svcInProcess(['store', 'move', ...args], { DATABASE_URL: url });
      assert.equal([code, stdout], [1, '']);
      assert.match(stderr, pattern);
      assert.match(stderr, /^svc: [^\n]*\n$/);
    };
    await withStore((url) =>
      refused(url, ['--to', target], /wal_level=replica: run ALTER SYSTEM SET wal_level = 'logical'/),
    );
    await refused(source, ['--to', withName(source, 'postgres')], /is on the server of the store/);
    await refused(
      source,
      ['--to', 'postgres://svc:secret@127.0.0.1:1/svc'],
      /127\.0\.0\.1:1\/svc does not answer: (?!.*secret)/,
    );
    await refused(
      listOf([source, withName(target, 'svc')]),
      ['--to', withName(target, 'postgres')],
      /lists several servers/,
    );
    await execute(source, 'CREATE TABLE loose (a int)');
    await refused(source, ['--to', target], /Without a primary key, changes of loose cannot be replicated/);
    await execute(source, 'ALTER TABLE loose ADD PRIMARY KEY (a)');
    await execute(target, 'CREATE TABLE loose (a int PRIMARY KEY); INSERT INTO loose VALUES (1)');
    await migrate({ ownerUrl: target });
    await refused(source, ['--to', target], /The table loose of .* has rows/);
    await execute(target, 'DELETE FROM loose');
    await execute(target, 'ALTER TABLE loose ADD COLUMN b text');
    await refused(source, ['--to', target], /has a table loose with other columns/);
    assert.is((await svcInProcess(['store', 'move', 'abort'], { DATABASE_URL: source })).code, 0);
    await refused(target, ['resume'], /No move has begun/);
    assert.equal(await leftovers(source, target), ['0', '0']);
  }));

/** A mover that makes writers wait. */
const holding = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc-move' AND state = 'idle in transaction'`;

/** Slots, publications and subscriptions of a database. */
const leftovers = (...urls: readonly string[]): Promise<string[]> =>
  Promise.all(
    urls.map(async (url) => {
      const text = `SELECT (SELECT count(*) FROM pg_replication_slots) + (SELECT count(*) FROM pg_publication) + (SELECT count(*) FROM pg_subscription)`;
      return (await rowsOf(url, text))[0]?.[0] ?? '';
    }),
  );
