import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config/config.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { withHost } from '../testing/probed-host.js';
import { withShop } from '../testing/shop-application.js';
import { runPostChecks } from './post.js';
import { runPreChecks } from './pre.js';

const test = suite('svc check pre and post');

const failedIn = ({ checks }: Awaited<ReturnType<typeof runPreChecks>>): readonly string[] =>
  checks.filter(({ ok }) => !ok).map(({ name }) => name);

const detailOf = ({ checks }: Awaited<ReturnType<typeof runPreChecks>>, name: string): string | undefined =>
  checks.find((check) => check.name === name)?.detail;

test('a deployed host passes: it is ready, an order is created once and read, and no request failed', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      const report = await runPostChecks({ url: host.url });
      assert.equal(
        report.checks.map(({ name, ok }) => [name, ok]),
        [
          ['health', true],
          ['smoke-create', true],
          ['smoke-read', true],
          ['error-rate', true],
        ],
        JSON.stringify(report),
      );
      const stored = await rowsOf(
        url,
        "SELECT event_type FROM svc_event_stream WHERE correlation_id LIKE 'smoke-test-%' AND event_type LIKE 'Order%'",
      );
      assert.equal(stored, [['OrderCreated']]);
      const { code, stdout } = await svc(['check', 'post', '--url', host.url, '--json']);
      assert.equal([code, (JSON.parse(stdout) as { ok: boolean }).ok], [0, true]);
      host.announceStop();
      const draining = await svc(['check', 'post', '--url', host.url, '--ready-within', '0']);
      assert.is(draining.code, 1);
      assert.match(draining.stdout, /^FAIL {2}health {2}Not ready within 0 s: .*503 \(draining\)\n$/);
    }),
  ));

test('on a host that authenticates the checks need a key', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    const permissions = 'orders:read,orders:write,svc:observe';
    const created = await svc(
      ['keys', 'create', '--name', 'deploy', '--permissions', permissions, '--json'],
      env,
    );
    const { key } = JSON.parse(created.stdout) as { key: string };
    await withHost(
      url,
      async (host) => {
        assert.equal(failedIn(await runPostChecks({ url: host.url })), ['smoke-create', 'error-rate']);
        const { code, stdout } = await svc(['check', 'post', '--url', host.url], { SVC_CHECK_KEY: key });
        assert.is(code, 0, stdout);
        assert.not.match(stdout, key);
      },
      { SVC_AUTH: 'api-key' },
    );
  }));

test('before the first deployment everything is checked on an empty database, and nothing is created', () =>
  withShop({ '1.sql': 'CREATE TABLE loaves (id int)' }, async (app, url) => {
    const { code, stdout } = await svc(['check', 'pre', app, '--test', 'true'], { DATABASE_URL: url });
    assert.is(code, 0, stdout);
    assert.match(stdout, /^ok {4}database +PostgreSQL \d+\S* accepts writes\n/);
    assert.match(
      stdout,
      /\nok {4}migrations +\d+ to apply, none refused\nok {4}compatibility +1 SQL file; no version/,
    );
    assert.match(
      stdout,
      /\nok {4}cloud_servicebus +Healthy\nok {4}oven +Healthy\nok {4}nats-durability +not checked /,
    );
    assert.match(stdout, /\nok {4}tests +true\n$/);
    assert.equal(await rowsOf(url, "SELECT count(*) FROM pg_class WHERE relname LIKE 'svc_%'"), [['0']]);
  }));

test('a pending file that breaks the version that runs closes the gate, one that was applied does not', () =>
  withShop({ '1.sql': 'CREATE TABLE loaves (id int, weight int)' }, async (app, url) => {
    const config = readConfig({ DATABASE_URL: url });
    assert.is((await svc(['migrate', app], { DATABASE_URL: url })).code, 0);
    assert.ok((await runPreChecks(app, { config })).ok);
    await writeFile(join(app, 'migrations', '2.sql'), 'SELECT 1;\nALTER TABLE loaves DROP COLUMN weight');
    const broken = await runPreChecks(app, { config, test: 'true' });
    assert.equal(failedIn(broken), ['compatibility', 'tests']);
    assert.match(detailOf(broken, 'compatibility') ?? '', /^2\.sql:2: drop: running code still uses/);
    assert.match(detailOf(broken, 'tests') ?? '', /^not run/);
    await writeFile(join(app, 'migrations', '1.sql'), 'CREATE TABLE loaves (id bigint)');
    assert.ok(failedIn(await runPreChecks(app, { config })).includes('migrations'));
  }));

test('an unhealthy dependency, failing tests and tests without end close the gate', () =>
  withShop({}, async (app, url) => {
    const config = readConfig({ DATABASE_URL: url });
    const failing = await runPreChecks(app, { config, test: 'exit 3' });
    assert.equal(failedIn(failing), ['tests']);
    assert.is(detailOf(failing, 'tests'), 'exit 3: exit code 3');
    const slow = await runPreChecks(app, { config, test: 'sleep 60 & sleep 60', testTimeoutMs: 200 });
    assert.match(detailOf(slow, 'tests') ?? '', /took longer than 0\.2 s$/);
    const unreachable = { ...config, natsUrl: 'nats://127.0.0.1:9' };
    assert.equal(failedIn(await runPreChecks(app, { config: unreachable })), ['cloud_servicebus']);
  }));

test('a database that cannot be reached or written to, and an application that is not there, are one line each', async () => {
  await withShop({}, async (app, url) => {
    const lost = await runPreChecks(app, {
      config: readConfig({ DATABASE_URL: 'postgres://127.0.0.1:9/none' }),
    });
    assert.equal(failedIn(lost), ['database']);
    await rowsOf(
      url,
      `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only = on`,
    );
    const readOnly = await runPreChecks(app, { config: readConfig({ DATABASE_URL: url }) });
    assert.match(detailOf(readOnly, 'database') ?? '', /^The database is read-only/);
  });
  const none = await svc(['check', 'pre', '/no/such/application']);
  assert.equal(
    [none.code, none.stdout],
    [1, 'FAIL  application  There is no application at /no/such/application.\n'],
  );
});

for (const args of [
  ['check', 'post'],
  ['check', 'pre', '--url', 'http://a'],
  ['check', 'pre', '--nats-monitor', 'nats:8222'],
  ['check', 'post', '--url', 'http://a', '--observe', 'long'],
  ['check', 'pre', 'a', 'b'],
]) {
  test(`svc ${args.join(' ')} is refused on one line`, async () => {
    const { code, stderr } = await svc(args);
    assert.is(code, 1);
    assert.match(stderr, /^svc: [^\n]+; see svc check --help\.\n$/);
  });
}
