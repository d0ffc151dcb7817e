import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post, refusalIn } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsTap } from '../../runtime/testing/nats-tap.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import {
  ada,
  bob,
  emailsRead,
  forget,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { whileTampered } from '../testing/tampered-log.js';

const test = suite('sealed values in stored events');

const verify = (url: string) => svcInProcess(['audit', 'verify', '--events'], { DATABASE_URL: url });

const email = `data ->> 'email'`;
const emailOf = (customerId: string) => `(SELECT ${email} FROM svc_events WHERE stream_id = '${customerId}')`;
const put = (value: string) =>
  `UPDATE svc_events SET data = replace(data::text, ${email}, ${value})::json WHERE stream_id = '${ada.customerId}'`;

const ofAda = `WHERE stream_id = '${ada.customerId}'`;
const putMetadata = (json: string) => `UPDATE svc_events SET metadata = (${json})::json ${ofAda}`;

const changes: readonly (readonly [what: string, sql: string])[] = [
  ['a removed salt', putMetadata(`metadata::jsonb - 'salt'`)],
  [
    'the salt of another event',
    putMetadata(`(SELECT metadata FROM svc_events WHERE stream_id = '${bob.customerId}')`),
  ],
  [
    'a plain value without the note that it was sealed',
    `${put(`'eve@example.org'`)}; ${putMetadata(`metadata::jsonb - 'sealed'`)}`,
  ],
  ['an altered ciphertext', put(`left(${email}, -8) || 'AAAAAAA='`)],
  ['a plain value in place of a sealed one', put(`'eve@example.org'`)],
  ['the sealed value of another subject', put(emailOf(bob.customerId))],
  ['the sealed value of another field', put(`data #>> '{contacts,0,phone}'`)],
  [
    'null in place of a sealed value',
    `UPDATE svc_events SET data = jsonb_set(data::jsonb, '{email}', 'null')::json WHERE stream_id = '${ada.customerId}'`,
  ],
];

/** With two customers; what a test changes of ada's event is put back after it. */
const withCustomers = sharedIn<{ readonly at: string; readonly url: string }>(test, (body) =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob);
      await body({ at: host.url, url });
    }),
  ),
);

for (const [what, sql] of changes)
  test(`${what} is noticed by svc audit verify --events at once`, () =>
    withCustomers(async ({ url }) => {
      const before = await verify(url);
      assert.is(before.code, 0, before.stderr);
      assert.not.match(before.stdout, /not compared/);
      await whileTampered(url, ada.customerId, sql, async () => {
        const after = await verify(url);
        assert.is(after.code, 1, after.stdout);
        assert.match(after.stdout, new RegExp(`altered  CustomerRegistered .* at ${ada.customerId}@1`));
        assert.match(after.stderr, /of 2 compared, 1 were altered and 0 deleted/);
      });
    }));

test('a reader refuses a plain value where a sealed one was stored', () =>
  withCustomers(({ at, url }) =>
    whileTampered(url, ada.customerId, put(`'eve@example.org'`), async () => {
      const answer = await post(at, ada, { path: '/customers/read' });
      assert.is(refusalIn(answer), '500 sealed-value-refused');
      assert.equal(await emailsRead(at, bob), { emails: [bob.email] });
    }),
  ));

test('events of a forgotten subject still equal their audits', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob);
      assert.is((await forget(url, ada.customerId)).code, 0);
      await register(host.url, ada);
      const verified = await verify(url);
      assert.is(verified.code, 0, verified.stderr);
      assert.match(verified.stdout, /All events match their audits: 3 compared\.$/m);
    }),
  ));

test('only the event has the salt of its digest: no other table, and no message', () =>
  withEmptyNats((broker) =>
    withNatsTap(broker, (tapped) =>
      withStore((url) =>
        withHost(
          url,
          async (host) => {
            await register(host.url, ada);
            await shows(host.url, `/customers/${ada.customerId}`, { email: ada.email });
            const [[salt, digest]] = (await rowsOf(
              url,
              `SELECT v.metadata ->> 'salt', s.metadata -> 'event' ->> 'digest' FROM svc_events v, svc_system_events s
                WHERE s.data ->> 'originalEventId' = v.event_id::text`,
            )) as [[string, string]];
            assert.ok(salt.length > 20);
            assert.equal([...(await tablesWith(url, salt))].sort(), ['svc_events', 'svc_events_0']);
            const sent = () => tapped.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join('\n');
            await until(() => sent().includes(digest) && sent().includes('svc:sealed:1:'));
            assert.not.ok(sent().includes(salt));
          },
          { NATS_URL: broker, SVC_BROADCAST: '1' },
        ),
      ),
    ),
  ));
