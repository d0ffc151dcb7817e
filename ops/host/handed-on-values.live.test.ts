import * as assert from 'uvu/assert';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { forget, masterKey, tablesWith } from '../testing/customer-hosts.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedHosts } from '../testing/live-hosts.js';
import { mailService, Move, Register } from '../testing/mail-service.js';

const test = suite('values of subjects that reactions, processes and timers hand on');

const ada = { customerId: newUuid(), email: 'ada@lovelace.example' };
const bob = { customerId: newUuid(), email: 'bob@london.example' };
const customers = [ada, bob];

const dispatchers: Dispatcher[] = [];
const shared = sharedHosts({
  definition: mailService({
    dispatchers,
    isRight: ({ customerId, email }) =>
      customers.find((one) => one.customerId === customerId)?.email === email,
    fails: ({ customerId }) => customerId === bob.customerId,
  }),
  env: { SVC_MASTER_KEY: masterKey },
});
test.before(() => shared.start());
test.after(() => shared.stop());

const send = (command: Register | Move): Promise<unknown> =>
  Promise.resolve(dispatchers[0]?.localInvoke(command));
const rows = (sql: string) => rowsOf(shared.databaseUrl, sql);

const mailsTo = async (to: string): Promise<readonly string[]> =>
  (
    await rows(
      `SELECT data ->> 'by' FROM svc_events WHERE event_type = 'Mailed' AND data ->> 'to' = '${to}' ORDER BY 1`,
    )
  ).map(([by]) => by ?? '');

/** Read models hold plain values by right. */
const othersWith = async (secret: string): Promise<readonly string[]> =>
  (await tablesWith(shared.databaseUrl, secret)).filter((table) => !/^svc_(per|snap)_addresses_/.test(table));

test('receptors see plain text on every way: from a reaction, a process, a timer of either', async () => {
  // A reaction sees what happens after its cursors were taken.
  await until(async () => (await rows("SELECT 1 FROM svc_progress WHERE name <> 'outbox'")).length >= 16);
  await send(Register.of(ada));
  await until(async () => (await mailsTo('address')).length >= 4);
  assert.equal(await mailsTo('address'), ['later', 'process', 'reaction', 'timer']);
  assert.equal([await mailsTo('other'), await mailsTo('nobody')], [[], []]);
});

test('only read models hold the plain text: not timers, snapshots, kept states, reservations or audits', async () => {
  for (let n = 0; n < 201; n++) await send(Move.of(ada));
  await until(async () => (await rows('SELECT 1 FROM svc_timers')).length === 3);
  const contexts = `SELECT snapshot -> 'context' ->> 'email', snapshot -> 'context' ->> 'reason' FROM svc_processes`;
  const [[email = '', reason = ''] = []] = await rows(contexts);
  assert.match(email ?? '', /^svc:sealed:1:/);
  assert.is(reason?.trim(), 'unconfirmed');
  assert.equal(await rows(`SELECT 1 FROM svc_timers WHERE data::text LIKE '%svc:sealed:1:%'`), [
    ['1'],
    ['1'],
  ]);
  assert.equal(await rows('SELECT count(*) FROM svc_reservations'), [['1']]);
  assert.equal(await othersWith(ada.email), []);
});

test('errors about such a value are hidden wherever they are kept', async () => {
  await send(Register.of(bob));
  await until(
    async () => (await rows(`SELECT 1 FROM svc_stuck_work WHERE error LIKE '[redacted]%'`)).length > 0,
  );
  await until(
    async () => (await rows(`SELECT 1 FROM svc_timers WHERE error LIKE 'Error: [redacted]%'`)).length > 1,
  );
  const failed = `SELECT 1 FROM svc_system_events WHERE event_type = 'ReactionFailed'`;
  assert.ok((await rows(failed)).length >= 2);
  assert.equal(await othersWith(bob.email), []);
});

test('what is handed on after its subject was forgotten is null', async () => {
  assert.is((await forget(shared.databaseUrl, ada.customerId)).code, 0);
  await rows(`UPDATE svc_timers SET due_at = now() WHERE kind = 'command' AND error IS NULL AND NOT parked
    AND data::text LIKE '%${ada.customerId}%'`);
  await send(Move.of(ada));
  await until(async () => (await mailsTo('nobody')).length === 2);
  assert.equal(await mailsTo('nobody'), ['later-still', 'timer-later']);
  await until(async () => (await tablesWith(shared.databaseUrl, ada.email)).length === 0);
});

test('every event still equals its audit', async () => {
  const verified = await svcInProcess(['audit', 'verify', '--events'], { DATABASE_URL: shared.databaseUrl });
  assert.is(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /All events match their audits/);
  assert.not.match(verified.stdout, /not compared|Without an audit/);
});
