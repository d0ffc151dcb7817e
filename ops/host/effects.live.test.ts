import * as assert from 'uvu/assert';
import { EffectRefused, TryLater } from '../../contracts/effect.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { passTime } from '../../runtime/kit/pass-time.js';
import { until } from '../../runtime/kit/until.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedHosts } from '../testing/live-hosts.js';
import { Forget, gateway, Remind, saysWhy, smsGateway, textingShop } from '../testing/texting-shop.js';

const test = suite('effects');

const other = gateway();
const dispatchers: Dispatcher[] = [];
const effect = smsGateway(other, {
  retries: { attempts: 3, first: 'PT0.05S' },
  timeout: 'PT1S',
  failed: saysWhy,
});
const shared = sharedHosts({ definition: textingShop(effect, (local) => dispatchers.push(local)) });
test.before(() => shared.start());
test.after(() => shared.stop());
test.after.each(() => {
  other.answer = ({ id }) => `sms ${id}`;
});

const rows = (text: string) => rowsOf(shared.databaseUrl, text);

/** Asks for a text, and returns its request id. */
async function remind(orderId: string, to = '1'): Promise<string> {
  await dispatchers[0]?.localInvoke(Remind.of({ orderId, to }));
  const [[id = ''] = []] = await rows(`SELECT id FROM svc_timers WHERE key = '${orderId}'`);
  return id;
}

const eventsOf = async (orderId: string): Promise<readonly string[]> =>
  (
    await rows(
      `SELECT event_type || ' ' || coalesce(data ->> 'reason', '') FROM svc_events WHERE stream_id = '${orderId}' ORDER BY stream_position`,
    )
  ).map(([text = '']) => text.trim());
const ends = (orderId: string): Promise<unknown> => until(async () => (await eventsOf(orderId)).length > 0);
const callsTo = (to: string) => other.calls.filter((call) => call.to === to);

test('what an effect returns is stored once, with the end of its request and the audit of its command', async () => {
  const orderId = newUuid();
  await dispatchers[0]?.localInvoke(Remind.of({ orderId, to: 'ann' }));
  await ends(orderId);
  assert.equal(await eventsOf(orderId), ['SmsSent']);
  assert.is(callsTo('ann').length, 1);
  const [call] = callsTo('ann');
  const audits = await rows(
    `SELECT data ->> 'receptorName', data ->> 'responseType', data::text LIKE '%sms ${call?.id}%' FROM svc_system_stream
      WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'SendSms' AND data -> 'commandBody' ->> 'orderId' = '${orderId}'`,
  );
  assert.equal(audits, [['sms-gateway', 'SmsSent', 'false']]);
  assert.equal(await rows(`SELECT id FROM svc_timers WHERE key = '${orderId}'`), []);
});

test('a call that fails is made again with the same id, and not audited before it ends', async () => {
  const orderId = newUuid();
  other.answer = ({ attempt }) => {
    if (attempt < 3) throw new TypeError('connection reset');
    return 'sms';
  };
  await dispatchers[0]?.localInvoke(Remind.of({ orderId, to: 'bob' }));
  await ends(orderId);
  assert.equal(
    callsTo('bob').map(({ attempt }) => attempt),
    [1, 2, 3],
  );
  assert.is(new Set(callsTo('bob').map(({ id }) => id)).size, 1);
  assert.equal(await eventsOf(orderId), ['SmsSent']);
});

test('one that is refused, or fails too often, ends with the event that the effect says', async () => {
  const [refused, given, late] = [newUuid(), newUuid(), newUuid()];
  other.answer = (_, to) => {
    if (to === 'nobody') throw new EffectRefused('number-not-valid');
    if (to === 'slow') return new Promise<string>(() => undefined);
    throw new TypeError('down');
  };
  for (const [orderId, to] of [
    [refused, 'nobody'],
    [given, 'down'],
    [late, 'slow'],
  ] as const)
    await dispatchers[0]?.localInvoke(Remind.of({ orderId, to }));
  await Promise.all([refused, given, late].map(ends));
  assert.equal(await eventsOf(refused), ['SmsNotSent number-not-valid']);
  assert.equal(await eventsOf(given), ['SmsNotSent effect-failed']);
  assert.equal(await eventsOf(late), ['SmsNotSent effect-timeout']);
  assert.equal(
    ['nobody', 'down', 'slow'].map((to) => callsTo(to).length),
    [1, 3, 3],
  );
});

test('a request that the other system puts off does not count an attempt', async () => {
  const orderId = newUuid();
  let asked = 0;
  other.answer = () => {
    if (++asked < 6) throw new TryLater('PT0.05S');
    return 'sms';
  };
  await dispatchers[0]?.localInvoke(Remind.of({ orderId, to: 'carl' }));
  await ends(orderId);
  assert.equal(await eventsOf(orderId), ['SmsSent']);
  assert.equal(
    callsTo('carl').map(({ attempt }) => attempt),
    [1, 1, 1, 1, 1, 1],
  );
});

test('a request that waits is called when a test lets the time pass', async () => {
  const [later, putOff] = [newUuid(), newUuid()];
  other.answer = (_, to) => {
    if (to === 'gil' && callsTo('gil').length < 2) throw new TryLater('P1D');
    return 'sms';
  };
  await dispatchers[0]?.localInvoke(Remind.of({ orderId: later, to: 'fay', options: { in: 'P1D' } }));
  await dispatchers[0]?.localInvoke(Remind.of({ orderId: putOff, to: 'gil' }));
  const waiting = `SELECT 1 FROM svc_timers WHERE key IN ('${later}', '${putOff}') AND due_at > now() + '23 h'`;
  await until(async () => (await rows(waiting)).length === 2);
  await passTime(shared.databaseUrl, 'P1D');
  await Promise.all([later, putOff].map(ends));
  assert.equal([callsTo('fay').length, callsTo('gil').length], [1, 2]);
});

test('what is unsent before it runs is never called; an answer that comes all the same is recorded', async () => {
  const [early, running] = [newUuid(), newUuid()];
  await dispatchers[0]?.localInvoke(Remind.of({ orderId: early, to: 'dora', options: { in: 'PT1H' } }));
  await dispatchers[0]?.localInvoke(Forget.of({ orderId: early }));
  let answer: ((smsId: string) => void) | undefined;
  other.answer = () => new Promise<string>((resolve) => (answer = resolve));
  const id = await remind(running, 'emil');
  await until(() => callsTo('emil').length > 0);
  await dispatchers[0]?.localInvoke(Forget.of({ orderId: running }));
  answer?.('sms');
  await until(
    async () =>
      (
        await rows(
          `SELECT 1 FROM svc_system_stream WHERE event_type = 'EffectDropped' AND data ->> 'requestId' = '${id}'`,
        )
      ).length > 0,
  );
  assert.equal(await eventsOf(running), []);
  assert.is(callsTo('dora').length, 0);
});
