import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import {
  emailsRead,
  forget,
  forgetting,
  newCustomers,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type Host } from './host.js';

const test = suite('subjects of a host');

/** Two hosts of one store, in which each test has customers of its own. */
const whileRunning = sharedIn<{ readonly one: Host; readonly other: Host; readonly url: string }>(
  test,
  (body) => withStore((url) => withHost(url, (one) => withHost(url, (other) => body({ one, other, url })))),
);

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
