import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import {
  ada,
  app,
  bob,
  forget,
  masterKey,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { withListening } from '../testing/spawned-host.js';

const test = suite('subjects that the next host folds again');

test('a host that is killed while it folds a forgotten subject again leaves the rest to the next one', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url, SVC_MASTER_KEY: masterKey };
    await withListening(['start', app], { ...env, SVC_FAILPOINTS: 'rebuild-after-page' }, async (host) => {
      await register(host.url, ada, bob);
      await shows(host.url, '/cities/London', { emails: [ada.email, bob.email] });
      assert.is((await forget(url, ada.customerId)).code, 0);
      await host.ended;
    });
    await withHost(url, async (host) => {
      await shows(host.url, `/customers/${ada.customerId}`, { email: null });
      await shows(host.url, '/cities/London', { emails: [null, bob.email] });
    });
    assert.equal(await tablesWith(url, ada.email), []);
  }));
