import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsTap } from '../../runtime/testing/nats-tap.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until, untilPasses } from '../../runtime/testing/until.js';
import { readConfig } from '../config.js';
import customers from '../testing/customer-service.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc, withListening } from '../testing/spawned-host.js';
import { type Host, startHost } from './host.js';

const test = suite('subjects of a host');

const masterKey = randomBytes(32).toString('base64');
const app = fileURLToPath(builtForProcess(new URL('../testing/customer-service.js', import.meta.url)));

const startAt = (url: string, env: Readonly<Record<string, string>> = {}): Promise<Host> =>
  startHost(customers, readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_MASTER_KEY: masterKey, ...env }));

async function withHost(
  url: string,
  body: (host: Host) => Promise<void>,
  env?: Readonly<Record<string, string>>,
): Promise<void> {
  const host = await startAt(url, env);
  try {
    await body(host);
  } finally {
    await host.stop();
  }
}

const ada = { customerId: newUuid(), city: 'London', email: 'ada@lovelace.example' };
const bob = { customerId: newUuid(), city: 'London', email: 'bob@london.example' };

async function register(url: string, ...all: readonly (typeof ada)[]): Promise<void> {
  for (const customer of all) {
    const headers = { 'idempotency-key': newUuid() };
    const answer = await post(url, customer, { path: '/customers', headers });
    assert.is(answer.status, 200, answer.text);
  }
}

const get = async (url: string, path: string) => jsonOf(await send(url, { method: 'GET', path }));

const shows = (url: string, path: string, expected: object): Promise<void> =>
  untilPasses(async () => {
    const found = (await get(url, path)) as Record<string, unknown>;
    assert.equal(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]])), expected);
  });

const emailsRead = async (url: string, customer: typeof ada): Promise<unknown> =>
  jsonOf(await post(url, customer, { path: '/customers/read' }));

const forget = (url: string, id: string) =>
  svcInProcess(['subjects', 'forget', id, '--reason', 'request 4711', '--json'], {
    DATABASE_URL: url,
    SVC_ACTOR: 'boss',
  });

/** The tables that hold a text in any column. */
async function tablesWith(url: string, secret: string): Promise<readonly string[]> {
  const tables = await rowsOf(
    url,
    `SELECT format('%I.%I', schemaname, tablename), tablename FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const [table, name = ''] of tables) {
    const [row] = await rowsOf(url, `SELECT count(*) FROM ${table} t WHERE t::text LIKE '%${secret}%'`);
    if (Number(row?.[0]) > 0) found.push(name);
  }
  return found;
}

test('events, messages, audits and idempotency answers hold no plain value; receptors and read models do', () =>
  withEmptyNats((broker) =>
    withNatsTap(broker, (tapped) =>
      withStore((url) =>
        withHost(
          url,
          async (host) => {
            await register(host.url, ada, bob);
            await shows(host.url, `/customers/${ada.customerId}`, {
              email: ada.email,
              phone: `phone of ${ada.email}`,
            });
            await shows(host.url, '/cities/London', { emails: [ada.email, bob.email] });
            assert.equal(await emailsRead(host.url, ada), { emails: [ada.email] });
            const readModels = /^svc_(per|snap)_(customers|cities)_/;
            const others = (await tablesWith(url, ada.email)).filter((table) => !readModels.test(table));
            assert.equal(others, []);
            const published = () => tapped.filter(({ subject }) => subject.includes('CustomerRegistered'));
            await until(() => published().length >= 2);
            const all = tapped.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join('\n');
            assert.ok(all.includes('svc:sealed:1:'));
            assert.not.ok(all.includes(ada.email));
          },
          { NATS_URL: broker, SVC_BROADCAST: '1' },
        ),
      ),
    ),
  ));

test('a forgotten value reads as null on every host, and in read models of one stream and of several', () =>
  withStore((url) =>
    withHost(url, (one) =>
      withHost(url, async (other) => {
        await register(one.url, ada, bob);
        for (const { url: at } of [one, other]) {
          await shows(at, '/cities/London', { emails: [ada.email, bob.email] });
          assert.equal(await emailsRead(at, ada), { emails: [ada.email] });
        }
        const done = await forget(url, ada.customerId);
        assert.is(done.code, 0, done.stderr);
        const { subject, ...rest } = JSON.parse(done.stdout) as { readonly subject: string };
        assert.equal(rest, { forgotten: true, perspectives: ['cities', 'customers'] });
        for (const { url: at } of [one, other]) {
          assert.equal(await emailsRead(at, ada), { emails: [null] });
          await shows(at, `/customers/${ada.customerId}`, { email: null, phone: null });
          await shows(at, `/customers/${bob.customerId}`, { email: bob.email });
          await shows(at, '/cities/London', { emails: [null, bob.email] });
        }
        assert.equal(await tablesWith(url, ada.email), []);
        const recorded = await rowsOf(
          url,
          `SELECT data ->> 'subject', data ->> 'actor', data ->> 'reason' FROM svc_system_events
            WHERE event_type = 'SubjectForgotten'`,
        );
        assert.equal(recorded, [[subject, 'boss', 'request 4711']]);
        await until(async () => (await rowsOf(url, 'SELECT 1 FROM svc_subject_rewinds')).length === 0);
        const verified = await svcInProcess(['audit', 'verify', '--events'], { DATABASE_URL: url });
        assert.is(verified.code, 0, verified.stdout + verified.stderr);
      }),
    ),
  ));

test('what is written of a forgotten subject later is not stored, and forgetting twice does nothing more', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada);
      assert.is((await forget(url, ada.customerId)).code, 0);
      const again = JSON.parse((await forget(url, ada.customerId)).stdout) as { readonly forgotten: boolean };
      assert.is(again.forgotten, false);
      await register(host.url, { ...ada, email: 'new@lovelace.example' });
      assert.equal(await emailsRead(host.url, ada), { emails: [null, null] });
      const unknown = await forget(url, newUuid());
      assert.is(unknown.code, 1);
      assert.match(unknown.stderr, /The store has no value of this subject/);
    }),
  ));

test('a subject that is forgotten while no host runs is null after the next start', () =>
  withStore(async (url) => {
    await withHost(url, async (host) => {
      await register(host.url, ada, bob);
      await shows(host.url, '/cities/London', { emails: [ada.email, bob.email] });
    });
    assert.is((await forget(url, ada.customerId)).code, 0);
    assert.equal((await tablesWith(url, ada.email)).length > 0, true);
    await withHost(url, async (host) => {
      await shows(host.url, `/customers/${ada.customerId}`, { email: null });
      await shows(host.url, '/cities/London', { emails: [null, bob.email] });
    });
    assert.equal(await tablesWith(url, ada.email), []);
  }));

test('a host that is killed while it folds a forgotten subject again leaves the rest to the next one', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url, SVC_MASTER_KEY: masterKey };
    await withListening(['start', app], { ...env, SVC_FAILPOINTS: 'rebuild-after-page' }, async (host) => {
      await register(host.url, ada, bob);
      await shows(host.url, '/cities/London', { emails: [ada.email, bob.email] });
      assert.is((await forget(url, ada.customerId)).code, 0);
      await host.ended;
    });
    await withListening(['start', app], env, async (host) => {
      await shows(host.url, `/customers/${ada.customerId}`, { email: null });
      await shows(host.url, '/cities/London', { emails: [null, bob.email] });
    });
    assert.equal(await tablesWith(url, ada.email), []);
  }));

test('a rebuild of a read model from empty opens what is not forgotten', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob);
      assert.is((await forget(url, ada.customerId)).code, 0);
      await until(async () => (await rowsOf(url, 'SELECT 1 FROM svc_subject_rewinds')).length === 0);
      for (const name of ['customers', 'cities']) await host.service.rebuild(name, { mode: 'BlueGreen' });
      await shows(host.url, `/customers/${bob.customerId}`, { email: bob.email });
      await shows(host.url, '/cities/London', { emails: [null, bob.email] });
    }),
  ));

test('without a master key, with a short one or with another one the service refuses to start', () =>
  withStore(async (url) => {
    const refusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { code, stderr, stdout } = await svc(['start', app], { DATABASE_URL: url, ...env });
      assert.is(code, 1);
      assert.not.match(stdout, /listening/);
      return stderr;
    };
    assert.match(await refusal({}), /no master key; set SVC_MASTER_KEY to 32 random bytes in base64/);
    const short = Buffer.from('too short').toString('base64');
    const refused = await refusal({ SVC_MASTER_KEY: short });
    assert.match(refused, /SVC_MASTER_KEY must be 32 random bytes in base64/);
    assert.not.match(refused, new RegExp(short));
    await withHost(url, ({ url: at }) => register(at, ada));
    const other = randomBytes(32).toString('base64');
    assert.match(
      await refusal({ SVC_MASTER_KEY: other }),
      /The master key is not the one that the keys of subjects in this store are wrapped with/,
    );
    await withHost(url, async ({ url: at }) =>
      assert.equal(await emailsRead(at, ada), { emails: [ada.email] }),
    );
  }));

test.run();
