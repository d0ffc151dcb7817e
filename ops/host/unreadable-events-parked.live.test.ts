import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { addUpcasters } from '../../runtime/service/add-upcasters.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { ada, bob, masterKey, register, shows, tablesWith, withHost } from '../testing/customer-hosts.js';
import customers from '../testing/customer-service.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { readConfig } from '../config/config.js';
import { tamperWith } from '../testing/tampered-log.js';
import { startHost } from './host.js';
import { ofStream, withEmail, forgets } from '../testing/tampered-customers.js';

const test = suite('forgotten subjects with events that cannot be read');

const parkedOf = async (url: string) =>
  rowsOf(
    url,
    `SELECT count(*) FROM svc_stuck_work WHERE follower LIKE 'svc_per_cities%' AND key LIKE '?event:%'`,
  );

test('a read model of several streams is rebuilt as a whole, and the event that cannot be read is parked', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob);
      await shows(host.url, '/cities/London', { emails: [ada.email, bob.email] });
      await tamperWith(url, withEmail(ada, `'eve@example.org'`));
      await forgets(url);
      await shows(host.url, '/cities/London', { emails: [bob.email] });
      assert.equal(await parkedOf(url), [['1']]);
      const done = `SELECT mode, force::text, lost_rows FROM svc_rebuilds WHERE name = 'cities' AND state = 'done'`;
      assert.equal(await rowsOf(url, done), [['BlueGreen', 'true', '1']]);
    }),
  ));

test('an event that its owner deleted leaves no plain value in rows and snapshots of its stream', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob);
      await shows(host.url, `/customers/${bob.customerId}`, { email: bob.email });
      await tamperWith(url, `DELETE FROM svc_events ${ofStream(ada)}`);
      await forgets(url);
      const found = await tablesWith(url, ada.email);
      assert.equal(
        found.filter((table) => table.includes('customers')),
        [],
      );
      await shows(host.url, `/customers/${bob.customerId}`, { email: bob.email });
    }),
  ));

const shouting: ServiceDefinition = {
  ...customers,
  configure: (service) =>
    void service.with(
      addUpcasters([
        {
          type: 'CustomerRegistered',
          from: 1,
          up: (payload) => {
            const { email } = payload as { readonly email: string };
            return { ...(payload as object), email: email.toUpperCase() };
          },
        },
      ]),
    ),
};

test('an upcaster that fails on a forgotten value leaves no plain value in rows and snapshots', () =>
  withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_MASTER_KEY: masterKey });
    const host = await startHost(shouting, config);
    try {
      await register(host.url, ada, bob);
      await shows(host.url, '/cities/London', { emails: [ada, bob].map(({ email }) => email.toUpperCase()) });
      await forgets(url);
      assert.equal(await tablesWith(url, ada.email.toUpperCase()), []);
      await shows(host.url, '/cities/London', { emails: [bob.email.toUpperCase()] });
      assert.equal(await parkedOf(url), [['1']]);
    } finally {
      await host.stop();
    }
  }));
