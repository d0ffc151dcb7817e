import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { newCustomers, register, shows, tablesWith, withHost } from '../testing/customer-hosts.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { whileTampered } from '../testing/tampered-log.js';
import { type Host } from './host.js';
import { type Customer, ofStream, withEmail, forgets } from '../testing/tampered-customers.js';

const test = suite('forgotten subjects with events that cannot be read');

/** Whatever is sealed of a customer. */
const withSealed = (customer: Customer, pattern: string, value: string) =>
  `UPDATE svc_events SET data = regexp_replace(data::text, '${pattern}', '${value}', 'g')::json ${ofStream(customer)}`;

const whileRunning = sharedIn<{ readonly host: Host; readonly url: string }>(test, (body) =>
  withStore((url) => withHost(url, (host) => body({ host, url }))),
);

const changes: readonly (readonly [what: string, sql: (one: Customer, other: Customer) => string])[] = [
  ['a ciphertext that was altered', (one) => withEmail(one, `left(data ->> 'email', -8) || 'AAAAAAA='`)],
  ['a plain value in place of a sealed one', (one) => withEmail(one, `'eve@example.org'`)],
  [
    'the sealed value of another subject',
    (one, other) => withEmail(one, `(SELECT data ->> 'email' FROM svc_events ${ofStream(other)})`),
  ],
  ['plain values in place of all sealed ones', (one) => withSealed(one, 'svc:sealed:1:[^"]*', 'eve')],
  ['null in place of all sealed values', (one) => withSealed(one, '"svc:sealed:1:[^"]*"', 'null')],
];

for (const [what, sql] of changes)
  test(`${what} leaves no plain value of a forgotten subject in rows, snapshots and replaced tables`, () =>
    whileRunning(async ({ host, url }) => {
      const { eve: one, joe: other, city } = newCustomers();
      await register(host.url, one, other);
      await shows(host.url, city, { emails: [one.email, other.email] });
      for (const name of ['customers', 'cities']) await host.service.rebuild(name, { mode: 'BlueGreen' });
      await whileTampered(url, one.customerId, sql(one, other), async () => {
        await forgets(url, one);
        assert.equal(await tablesWith(url, one.email), []);
        await shows(host.url, `/customers/${other.customerId}`, { email: other.email });
        await register(host.url, other);
        await shows(host.url, `/customers/${other.customerId}`, { email: other.email, events: 2 });
      });
    }));
