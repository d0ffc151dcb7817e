import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { commandTimer } from '../../runtime/timers/command-timer.js';
import { type FiringOutcome, fireTimer } from './fire-timer.js';
import { order, minute, shop, start, Remind, Whisper, Reminded } from '../testing/reminding-shop.js';

const test = suite('firing timers');

test('a timer sends its command once, when it is due', async () => {
  const { clock, remind, fireDue, events } = shop();
  await remind({ in: 'PT15M' });
  assert.equal(await fireDue(), []);
  clock.advance(15 * minute);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(await fireDue(), []);
  assert.is((await events()).length, 1);
});

test('two hosts that fire one timer have one effect', async () => {
  const { clock, remind, due, fire, events } = shop();
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  const [timer] = await due();
  assert.ok(timer);
  assert.equal(await Promise.all([fire(timer), fire(timer)]), ['fired', 'gone']);
  assert.is((await events()).length, 1);
});

test('a timer that is cancelled or replaced after it was read does not fire', async () => {
  const { clock, remind, dispatcher, store, due, fire, events } = shop();
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  const [timer] = await due();
  assert.ok(timer);
  await remind({ in: 'PT5M', name: 'reminder', key: order });
  assert.is(await fire(timer), 'gone');
  assert.is((await events()).length, 0);
  assert.is((await store.reactions.timersOf('command', 'reminder', order)).length, 1);
  assert.ok(dispatcher);
});

test('the command belongs to what set the timer, and has the same id in every try', async () => {
  const contexts: unknown[] = [];
  let fails = true;
  const { clock, remind, fireDue } = shop({
    onRemind: ({ context: { messageId, correlationId, causationId, transport, scope, metadata } }) => {
      contexts.push({
        messageId,
        correlationId,
        causationId,
        transport,
        scope,
        by: metadata['by'],
        due: metadata['due'],
      });
      if (fails) throw new Error('not now');
    },
  });
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  assert.equal(await fireDue(), ['retrying']);
  fails = false;
  clock.advance(10_000);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(contexts[0], contexts[1]);
  const [{ transport, by, due: dueAt }] = contexts as [{ transport: string; by: string; due: string }];
  assert.equal([transport, by], ['timer', 'reminder']);
  assert.is(Date.parse(dueAt), clock.now() - 10_000);
});

test('an error about a sensitive command is hidden where it is stored and reported', async () => {
  const { clock, remind, due, records, ports, store } = shop({
    onRemind: () => {
      throw new Error('4242 4242 4242 4242 was declined');
    },
  });
  await remind({ in: 'PT1M', name: 'reminder', key: order });
  clock.advance(minute);
  const [timer] = await due();
  const sent: (readonly string[])[] = [];
  const hidesErrors = (_: unknown, types: readonly string[]): boolean => sent.push(types) > 0;
  assert.is(timer && (await fireTimer(timer, { ...ports, hidesErrors })), 'retrying');
  assert.equal(sent, [['Remind']]);
  const [again] = await store.reactions.timersOf('command', 'reminder', order);
  assert.match(again?.error ?? '', /^Error: \[redacted\] \(32 characters\)/);
  assert.not.match(JSON.stringify(records), '4242');
  assert.match(JSON.stringify(records), '[redacted]');
});

test('what a timer stores is passed to the hooks of system events', async () => {
  const { clock, remind, due, ports } = shop({
    onRemind: () => {
      throw new Error('broken');
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  const [timer] = await due();
  const stored: string[] = [];
  const committed = (all: readonly StagedRecord[]): void =>
    void stored.push(...all.map(({ envelope }) => envelope.messageType));
  if (timer !== undefined) await fireTimer(timer, { ...ports, committed });
  assert.equal(stored, ['ReactionFailed']);
});

const whisper = Whisper.of({ customerId: 'ada', secret: 'the cake' });
const whispered = (inMs: number) =>
  commandTimer(whisper, { in: `PT${inMs / 1_000}S`, name: 'whisper' }, cause);
const cause = { causationId: newUuid(), correlationId: newUuid() };

test('a timer holds the values of subjects encrypted, also after it failed, and its receptor sees them', async () => {
  const seen: unknown[] = [];
  const { clock, set, store, fireDue } = shop({
    onWhisper: (command) => {
      seen.push(structuredClone(command));
      if (seen.length === 1) throw new Error('not now');
    },
  });
  await set(whispered(minute));
  const stored = async () => JSON.stringify(await store.reactions.timersOf('command', 'whisper', ''));
  assert.match(await stored(), /svc:sealed:1:/);
  clock.advance(minute);
  const before = await stored();
  assert.equal(await fireDue(), ['retrying']);
  const data = (text: string) => (JSON.parse(text) as [{ data: unknown }])[0].data;
  assert.equal(data(await stored()), data(before));
  clock.advance(10_000);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(seen, [structuredClone(whisper), structuredClone(whisper)]);
  assert.not.match(before, /cake/);
});

test('a value whose subject was forgotten before the timer fired is null', async () => {
  const seen: unknown[] = [];
  const { clock, set, store, fireDue } = shop({ onWhisper: ({ secret }) => void seen.push(secret) });
  await set(whispered(minute));
  store.forget('ada');
  clock.advance(minute);
  assert.equal(await fireDue(), ['fired']);
  assert.equal(seen, [null]);
});

test('what a receptor of sensitive values throws is hidden in the row and in the report', async () => {
  for (const error of [new Error('no cake'), new Problem('no-cake', { status: 409, detail: 'no cake' })]) {
    const { clock, set, store, fireDue, records } = shop({
      onWhisper: () => {
        throw error;
      },
    });
    await set(whispered(minute));
    clock.advance(minute);
    assert.match((await fireDue()).join(), /retrying|parked/);
    const [timer] = await store.reactions.timersOf('command', 'whisper', '');
    assert.match(timer?.error ?? '', /^(Error|no-cake): \[redacted\] \(7 characters\)/);
    assert.not.match(JSON.stringify([timer, records]), /no cake/);
  }
});

test('a timer does not fail because its host is overloaded', async () => {
  const { clock, remind, fireDue, due } = shop({
    onRemind: () => {
      throw new Problem('overloaded');
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  assert.equal(await fireDue(), ['later']);
  assert.is((await due())[0]?.attempts, 0);
});

test('a stream that moved on is read again', async () => {
  let moves = 3;
  const { clock, store, remind, fireDue, events } = shop({
    onRemind: async (work) => {
      await collect(work.read(order));
      work.append(order, new Reminded());
      if (moves-- > 0)
        await store.append(order, {
          messageId: newUuid(),
          messageType: 'Other',
          payload: {},
          timestamp: start,
          v: 1,
        });
    },
  });
  await remind({ in: 'PT1M' });
  clock.advance(minute);
  assert.equal(await fireDue(), ['fired']);
  assert.is((await events()).filter(({ messageType }) => messageType === 'Reminded').length, 2);
});

test('a timer that is later than it may be is dropped and reported', async () => {
  const { clock, remind, fireDue, records, events } = shop();
  await remind({ in: 'PT1M', expires: 'PT1H' });
  clock.advance(minute + 60 * minute + 1);
  assert.equal(await fireDue(), ['dropped']);
  assert.is((await events()).length, 0);
  assert.equal(
    records.map((record) => record.constructor.name),
    ['TimersMissed'],
  );
});

test('timers that set each other without a pause are stopped; with a pause they go on', async () => {
  for (const [pause, rounds, last] of [
    ['PT0S', 40, 'parked'],
    ['PT1S', 40, 'fired'],
  ] as const) {
    const { clock, remind, fireDue } = shop({
      onRemind: (work) => work.schedule(Remind.of({ orderId: order }), { in: pause }),
    });
    await remind({ in: pause });
    const outcomes: FiringOutcome[] = [];
    for (let round = 0; round < rounds && outcomes.at(-1) !== 'parked'; round++) {
      clock.advance(1_000);
      outcomes.push(...(await fireDue()));
    }
    assert.is(outcomes.at(-1), last, pause);
    assert.is(outcomes.length, last === 'parked' ? 33 : 40);
  }
});
