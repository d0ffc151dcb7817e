import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsTap } from '../../runtime/testing/nats-tap.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { ada, bob, emailsRead, register, shows, tablesWith, withHost } from '../testing/customer-hosts.js';

const test = suite('subjects of published events');

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
