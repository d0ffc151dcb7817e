import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import {
  ada,
  bob,
  forget,
  newCustomers,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { type Host } from './host.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('subjects that are forgotten meanwhile');

/** In its store each test has customers of its own. */
const whileRunning = sharedIn<{ readonly host: Host; readonly url: string }>(test, (body) =>
  withStore((url) => withHost(url, (host) => body({ host, url }))),
);

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
  whileRunning(async ({ host, url }) => {
    const { eve, joe, city } = newCustomers();
    await register(host.url, eve, joe);
    await shows(host.url, city, { emails: [eve.email, joe.email] });
    const killed = await svc(['subjects', 'forget', eve.customerId, '--reason', 'r'], {
      DATABASE_URL: url,
      SVC_FAILPOINTS: 'subject-after-forget',
    });
    assert.is.not(killed.code, 0);
    await shows(host.url, `/customers/${eve.customerId}`, { email: null });
    await shows(host.url, city, { emails: [null, joe.email] });
    assert.equal(await tablesWith(url, eve.email), []);
  }));
