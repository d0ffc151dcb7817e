import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { untilPasses } from '../../runtime/testing/until.js';
import {
  ada,
  app,
  bob,
  forget,
  get,
  masterKey,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { svc, withListening } from '../testing/spawned-host.js';

const test = suite('subjects that are forgotten meanwhile');

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

test('a command that is killed after it has destroyed the key leaves the read models to the hosts', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob);
      await shows(host.url, '/cities/London', { emails: [ada.email, bob.email] });
      const killed = await svc(['subjects', 'forget', ada.customerId, '--reason', 'r'], {
        DATABASE_URL: url,
        SVC_FAILPOINTS: 'subject-after-forget',
      });
      assert.is.not(killed.code, 0);
      await shows(host.url, `/customers/${ada.customerId}`, { email: null });
      await shows(host.url, '/cities/London', { emails: [null, bob.email] });
      assert.equal(await tablesWith(url, ada.email), []);
    }),
  ));

test('nothing of a subject is left that is forgotten while hosts write and fold values of it', () =>
  withStore((url) =>
    withHost(url, (one) =>
      withHost(url, async (other) => {
        const written = Array.from({ length: 60 }, (_, n) => ({ ...ada, email: `${n}-${ada.email}` }));
        await register(one.url, bob, ada);
        await Promise.all([
          ...[one, other].map(({ url: at }, host) =>
            register(at, ...written.filter((_, n) => n % 2 === host)),
          ),
          forget(url, ada.customerId),
        ]);
        const { stdout } = await forget(url, ada.customerId);
        assert.is((JSON.parse(stdout) as { readonly forgotten: boolean }).forgotten, false);
        await shows(one.url, `/customers/${ada.customerId}`, { email: null, events: 61 });
        await untilPasses(async () => assert.equal(await tablesWith(url, ada.email), []));
        await shows(one.url, `/customers/${bob.customerId}`, { email: bob.email, events: 1 });
        const { emails } = (await get(one.url, '/cities/London')) as { readonly emails: readonly unknown[] };
        assert.equal([emails.length, emails.filter((email) => email !== null)], [62, [bob.email]]);
      }),
    ),
  ));

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

test.run();
