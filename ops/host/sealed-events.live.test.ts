import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { post, refusalIn } from '../../endpoints/testing/http-client.js';
import { connect } from '../../runtime/database/connect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { ada, bob, emailsRead, forget, register, withHost } from '../testing/customer-hosts.js';
import { svcInProcess } from '../testing/in-process-cli.js';

const test = suite('sealed values in stored events');

/** As the owner, who may switch off what protects the log. */
async function tamper(url: string, sql: string): Promise<void> {
  const owner = await connect(url);
  await owner.query('SET session_replication_role = replica');
  await owner.query(sql);
  await owner.end();
}

const verify = (url: string) => svcInProcess(['audit', 'verify', '--events'], { DATABASE_URL: url });

const email = `data ->> 'email'`;
const emailOf = (customerId: string) => `(SELECT ${email} FROM svc_events WHERE stream_id = '${customerId}')`;
const put = (value: string) =>
  `UPDATE svc_events SET data = replace(data::text, ${email}, ${value})::json WHERE stream_id = '${ada.customerId}'`;

const changes: readonly (readonly [what: string, sql: string])[] = [
  ['an altered ciphertext', put(`left(${email}, -8) || 'AAAAAAA='`)],
  ['a plain value in place of a sealed one', put(`'eve@example.org'`)],
  ['the sealed value of another subject', put(emailOf(bob.customerId))],
  ['the sealed value of another field', put(`data #>> '{contacts,0,phone}'`)],
  [
    'null in place of a sealed value',
    `UPDATE svc_events SET data = jsonb_set(data::jsonb, '{email}', 'null')::json WHERE stream_id = '${ada.customerId}'`,
  ],
];

for (const [what, sql] of changes)
  test(`${what} is noticed by svc audit verify --events at once`, () =>
    withStore((url) =>
      withHost(url, async (host) => {
        await register(host.url, ada, bob);
        const before = await verify(url);
        assert.is(before.code, 0, before.stderr);
        assert.not.match(before.stdout, /not compared/);
        await tamper(url, sql);
        const after = await verify(url);
        assert.is(after.code, 1, after.stdout);
        assert.match(after.stdout, new RegExp(`altered  CustomerRegistered .* at ${ada.customerId}@1`));
        assert.match(after.stderr, /of 2 compared, 1 were altered and 0 deleted/);
      }),
    ));

test('a reader refuses a plain value where a sealed one was stored', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada, bob);
      await tamper(url, put(`'eve@example.org'`));
      const answer = await post(host.url, ada, { path: '/customers/read' });
      assert.is(refusalIn(answer), '500 sealed-value-refused');
      assert.equal(await emailsRead(host.url, bob), { emails: [bob.email] });
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

test('neither an audit nor a reader shows the salt of a digest', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      await register(host.url, ada);
      const [[salt]] = (await rowsOf(url, `SELECT metadata ->> 'salt' FROM svc_events`)) as [[string]];
      assert.ok(salt.length > 20);
      const others = `SELECT 1 FROM svc_system_events t WHERE t::text LIKE '%${salt}%'`;
      assert.equal(await rowsOf(url, others), []);
    }),
  ));

test.run();
