import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { newUuid } from '../../../contracts/uuid.js';
import { keyed, post, refusalIn } from '../../../endpoints/testing/http-client.js';
import { rowsOf } from '../../../runtime/testing/rows-of.js';
import { until } from '../../../runtime/kit/until.js';
import { sharedHosts } from '../../testing/live-hosts.js';
import ledgers from './ledger-service.js';

const test = suite('unique names on two hosts');

const shared = sharedHosts({ definition: ledgers, count: 2 });
test.before(() => shared.start());
test.after(() => shared.stop());

const callers = 64;

async function send(path: string, body: object, host = 0): Promise<string> {
  const answer = await post(shared.hosts[host % 2]?.url ?? '', body, { path, ...keyed(newUuid()) });
  return answer.status < 300 ? 'done' : refusalIn(answer);
}

const count = (outcomes: readonly string[], outcome: string): number =>
  outcomes.filter((one) => one === outcome).length;

const owners = async (seat: string): Promise<readonly string[]> =>
  (
    await rowsOf(
      shared.databaseUrl,
      `SELECT event_type, data->>'owner' FROM svc_event_stream WHERE stream_id = '${seat}' ORDER BY stream_position`,
    )
  ).map((row) => row.join(' '));

test('of 64 callers at two hosts one gets the name, and 63 are answered 409', async () => {
  const seat = newUuid();
  const outcomes = await Promise.all(
    Array.from({ length: callers }, (_, n) => send('/take', { seat, owner: `o-${n}` }, n)),
  );
  assert.is(count(outcomes, 'done'), 1);
  assert.is(count(outcomes, '409 already-reserved'), callers - 1);
  assert.equal(await owners(seat), [`Taken o-${outcomes.indexOf('done')}`]);
});

test('a name that is released and taken at the same time has one owner at any time', async () => {
  const seat = newUuid();
  let holder = 'o-0';
  const expected = ['Taken o-0'];
  assert.is(await send('/take', { seat, owner: holder }), 'done');
  for (let round = 1; round <= 20; round++) {
    const next = (n: number) => `o-${round}-${n}`;
    const [left, ...outcomes] = await Promise.all([
      send('/leave', { seat, owner: holder }),
      ...Array.from({ length: 8 }, (_, n) => send('/take', { seat, owner: next(n) }, n)),
    ]);
    assert.is(left, 'done');
    assert.is(count(outcomes, 'done') + count(outcomes, '409 already-reserved'), 8);
    assert.ok(count(outcomes, 'done') <= 1, outcomes.join());
    expected.push(`Left ${holder}`);
    const winner = outcomes.indexOf('done');
    holder = next(Math.max(0, winner));
    if (winner < 0) assert.is(await send('/take', { seat, owner: holder }), 'done');
    expected.push(`Taken ${holder}`);
  }
  assert.equal(await owners(seat), expected);
});

test('a hold ends by itself, and then another owner takes the name', async () => {
  const seat = newUuid();
  assert.is(await send('/take', { seat, owner: 'ada', for: 'PT1H' }), 'done');
  assert.is(await send('/take', { seat, owner: 'bob' }, 1), '409 already-reserved');
  await rowsOf(
    shared.databaseUrl,
    `UPDATE svc_reservations SET until = clock_timestamp() + interval '100 ms' WHERE owner = 'ada'`,
  );
  await until(async () => (await send('/take', { seat, owner: 'bob' }, 1)) === 'done');
  assert.is(await send('/take', { seat, owner: 'ada' }), '409 already-reserved');
});
