import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { addUpcasters } from '../../runtime/service/add-upcasters.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import {
  ada,
  bob,
  forget,
  masterKey,
  newCustomers,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import customers from '../testing/customer-service.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { readConfig } from '../config.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { tamperWith, whileTampered } from '../testing/tampered-log.js';
import { type Host, startHost } from './host.js';

const test = suite('forgotten subjects with events that cannot be read');

type Customer = typeof ada;

const ofStream = ({ customerId }: Customer) => `WHERE stream_id = '${customerId}'`;
const withEmail = (customer: Customer, value: string) =>
  `UPDATE svc_events SET data = replace(data::text, data ->> 'email', ${value})::json ${ofStream(customer)}`;
/** Whatever is sealed of a customer. */
const withSealed = (customer: Customer, pattern: string, value: string) =>
  `UPDATE svc_events SET data = regexp_replace(data::text, '${pattern}', '${value}', 'g')::json ${ofStream(customer)}`;

const forgets = async (url: string, { customerId } = ada): Promise<void> => {
  const { code, stderr } = await forget(url, customerId);
  assert.is(code, 0, stderr);
  await until(async () => (await rowsOf(url, 'SELECT 1 FROM svc_subject_rewinds')).length === 0);
};

const parkedOf = async (url: string) =>
  rowsOf(
    url,
    `SELECT count(*) FROM svc_parked WHERE perspective LIKE 'svc_per_cities%' AND key LIKE '?event:%'`,
  );

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
