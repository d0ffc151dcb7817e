import * as assert from 'uvu/assert';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { Account, Book, Booked, Closed } from '../../runtime/testing/account-decider.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { sharedHosts } from '../testing/live-hosts.js';

const test = suite('deciders of a host');

const dispatchers: Dispatcher[] = [];
const bank: ServiceDefinition = {
  name: 'bank',
  create: (local) => {
    dispatchers.push(local);
    return {
      endpoints: [],
      receptors: [],
      deciders: [{ decider: new Account(), results: { Book: 'Int' } }],
      events: [Booked, Closed],
    };
  },
};

const shared = sharedHosts({ definition: bank, count: 2 });
test.before(() => shared.start());
test.after(() => shared.stop());

const book = (accountId: string, amount: number, host = 0): Promise<number | undefined> =>
  Promise.resolve(dispatchers[host]?.localInvoke<number>(Book.of({ accountId, amount })));

const statesFrom = async (host = 0): Promise<string> =>
  (await shared.hosts[host]?.metrics.text())?.match(/^svc_decider_state_total.*$/gm)?.join('\n') ?? '';

test('the commands of a decider are handled and audited under its name', async () => {
  const accountId = newUuid();
  assert.is(await book(accountId, 5), 5);
  const audits = await rowsOf(
    shared.databaseUrl,
    `SELECT data->>'receptorName', data->>'responseType' FROM svc_system_events
      WHERE event_type = 'CommandAudited' AND data->>'commandType' = 'Book' LIMIT 1`,
  );
  assert.equal(audits, [['Account', 'Int']]);
});

test('64 commands at once on one stream are handled without a conflict', async () => {
  const accountId = newUuid();
  const results = await Promise.all(Array.from({ length: 64 }, () => book(accountId, 1)));
  assert.equal(
    results,
    Array.from({ length: 64 }, (_, n) => n + 1),
  );
});

test('a long stream is kept every 200 events, and the other host begins there', async () => {
  const accountId = newUuid();
  for (let n = 0; n < 205; n++) await book(accountId, 1);
  const kept = () =>
    rowsOf(shared.databaseUrl, `SELECT position FROM svc_states WHERE stream_id = '${accountId}'`);
  await until(async () => (await kept()).length === 1);
  assert.is(Number((await kept())[0]?.[0]), 200);
  assert.is(await book(accountId, 1, 1), 206);
  assert.match(await statesFrom(1), /\{from="snapshot"\} [1-9]/);
  assert.match(await statesFrom(0), /\{from="cache"\} [1-9]/);
});
