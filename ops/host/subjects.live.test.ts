import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { post, refusalIn } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsTap } from '../../runtime/testing/nats-tap.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/testing/until.js';
import { readConfig } from '../config.js';
import {
  ada,
  app,
  bob,
  emailsRead,
  forget,
  forgetting,
  newCustomers,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import customers from '../testing/customer-service.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { svc } from '../testing/spawned-host.js';
import { type Host, startHost } from './host.js';

const test = suite('subjects of a host');

/** Two hosts of one store, in which each test has customers of its own. */
const whileRunning = sharedIn<{ readonly one: Host; readonly other: Host; readonly url: string }>(
  test,
  (body) => withStore((url) => withHost(url, (one) => withHost(url, (other) => body({ one, other, url })))),
);

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
  whileRunning(async ({ one, other, url }) => {
    const { eve, joe, city } = newCustomers();
    await register(one.url, eve, joe);
    for (const { url: at } of [one, other]) {
      await shows(at, city, { emails: [eve.email, joe.email] });
      assert.equal(await emailsRead(at, eve), { emails: [eve.email] });
    }
    const done = await forget(url, eve.customerId);
    assert.is(done.code, 0, done.stderr);
    const { subject, ...rest } = JSON.parse(done.stdout) as { readonly subject: string };
    assert.equal(rest, { forgotten: true, perspectives: ['cities', 'customers'] });
    for (const { url: at } of [one, other]) {
      assert.equal(await emailsRead(at, eve), { emails: [null] });
      await shows(at, `/customers/${eve.customerId}`, { email: null, phone: null });
      await shows(at, `/customers/${joe.customerId}`, { email: joe.email });
      await shows(at, city, { emails: [null, joe.email] });
    }
    assert.equal(await tablesWith(url, eve.email), []);
    const recorded = await rowsOf(
      url,
      `SELECT data ->> 'subject', data ->> 'actor', data ->> 'reason' FROM svc_system_events
            WHERE event_type = 'SubjectForgotten' AND data ->> 'subject' = '${subject}'`,
    );
    assert.equal(recorded, [[subject, 'boss', 'request 4711']]);
    await until(async () => (await rowsOf(url, 'SELECT 1 FROM svc_subject_rewinds')).length === 0);
    const verified = await svcInProcess(['audit', 'verify', '--events'], { DATABASE_URL: url });
    assert.is(verified.code, 0, verified.stdout + verified.stderr);
  }));

test('what is written of a forgotten subject later is not stored, and forgetting twice does nothing more', () =>
  whileRunning(async ({ one: host, url }) => {
    const { eve } = newCustomers();
    await register(host.url, eve);
    assert.is((await forget(url, eve.customerId)).code, 0);
    const again = JSON.parse((await forget(url, eve.customerId)).stdout) as { readonly forgotten: boolean };
    assert.is(again.forgotten, false);
    await register(host.url, { ...eve, email: 'new@lovelace.example' });
    assert.equal(await emailsRead(host.url, eve), { emails: [null, null] });
    const unknown = await forget(url, newUuid());
    assert.is(unknown.code, 1);
    assert.match(unknown.stderr, /The store has no value of this subject/);
  }));

test('another store receives ciphertext, and null takes the place of the value there', () =>
  withEmptyNats((NATS_URL) =>
    withStore((url) =>
      withStore((otherUrl) =>
        withHost(
          url,
          (host) =>
            withHost(
              otherUrl,
              async (other) => {
                await register(host.url, ada);
                await shows(other.url, `/customers/${ada.customerId}`, {
                  city: 'London',
                  email: null,
                  phone: null,
                });
                assert.equal(await tablesWith(otherUrl, ada.email), []);
                assert.ok((await tablesWith(otherUrl, 'svc:sealed:1:')).includes('svc_events'));
              },
              { NATS_URL },
            ),
          { NATS_URL },
        ),
      ),
    ),
  ));

test('a key wrapper of the service takes the place of the master key, and 503 is answered while it is away', () =>
  withStore(async (url) => {
    let isAway = false;
    const mask = (bytes: Uint8Array) =>
      isAway
        ? Promise.reject(new TypeError('no route to host'))
        : Promise.resolve(bytes.map((byte) => ~byte));
    const keyWrapper = { wrap: mask, unwrap: mask };
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url });
    const host = await startHost({ ...customers, keyWrapper }, config);
    try {
      await register(host.url, ada);
      assert.equal(await emailsRead(host.url, ada), { emails: [ada.email] });
      isAway = true;
      const answer = await post(host.url, bob, { path: '/customers' });
      assert.is(refusalIn(answer), '503 subject-keys-unavailable');
      assert.not.match(answer.text, /route/);
      isAway = false;
      await register(host.url, bob);
    } finally {
      await host.stop();
    }
  }));

test('a rebuild of a read model from empty opens what is not forgotten', () =>
  whileRunning(async ({ one: host, url }) => {
    const { eve, joe, city } = newCustomers();
    await register(host.url, eve, joe);
    assert.is((await forget(url, eve.customerId)).code, 0);
    const underWay = `${forgetting} UNION ALL SELECT 1 FROM svc_rebuilds WHERE ended_at IS NULL`;
    await until(async () => (await rowsOf(url, underWay)).length === 0);
    for (const name of ['customers', 'cities']) await host.service.rebuild(name, { mode: 'BlueGreen' });
    await shows(host.url, `/customers/${joe.customerId}`, { email: joe.email });
    await shows(host.url, city, { emails: [null, joe.email] });
  }));

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
