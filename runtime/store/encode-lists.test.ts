import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { ReservationStep, SetTimer, UnitLists } from '../../contracts/unit-lists.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeLists, longestMs } from './encode-lists.js';

const test = suite('encoded lists');

const empty: UnitLists = { handled: [], aside: [], timers: [], ended: [], reservations: [], processes: [] };

test('empty lists are none', () => {
  assert.is(encodeLists(undefined), undefined);
  assert.is(encodeLists(empty), undefined);
});

test('of several timers of one id the last one counts, unless it keeps the one before', () => {
  const id = newUuid();
  const timers = [timer(id, 'one'), timer(id, 'two'), { ...timer(id, 'three'), again: 'keep' as const }];
  assert.equal(
    encodeLists({ ...empty, timers })?.timers.map(({ data }) => data),
    ['"two"'],
  );
});

test('a timer that fires must be there, although the unit cancels it as well', () => {
  const id = newUuid();
  const fired = { id, firedAt: '1970-01-01T00:00:00.000007Z' };
  for (const ended of [
    [{ id }, fired],
    [fired, { id }],
  ])
    assert.equal(encodeLists({ ...empty, ended })?.ended, [{ id, firedAt: 7n }]);
});

test('a duration lies between none and ten years', () => {
  const inMsOf = (inMs: number) =>
    encodeLists({ ...empty, timers: [{ ...timer(newUuid(), ''), due: { inMs } }] })?.timers[0]?.inMs;
  assert.equal([-5, 0.4, 1e300, Infinity].map(inMsOf), [0, 0, longestMs, longestMs]);
});

test('timers of one key are in one partition, those without a key are shared out', () => {
  const partsOf = (key: string) =>
    new Set(
      encodeLists({
        ...empty,
        timers: Array.from({ length: 50 }, () => ({ ...timer(newUuid(), ''), key })),
      })?.timers.map(({ part }) => part),
    );
  assert.is(partsOf('order-1').size, 1);
  assert.ok(partsOf('').size > 1);
});

test('what a unit does to a name is folded: it is given back, then taken', () => {
  const key = newUuid();
  const folded = (...steps: (readonly [owner: string, take: boolean])[]) =>
    encodeLists({
      ...empty,
      reservations: steps.map(([owner, take]) => step(key, owner, take)),
    })?.reservations.map(({ released, owner }) => [released, owner]);
  assert.equal(folded(['ada', true], ['ada', true]), [[null, 'ada']]);
  assert.equal(folded(['ada', true], ['ada', false]), [['ada', null]]);
  assert.equal(folded(['ada', false], ['ada', true]), [['ada', 'ada']]);
  assert.equal(folded(['ada', false], ['bob', true]), [['ada', 'bob']]);
  assert.equal(folded(['bob', true], ['ada', false]), [[null, 'bob']]);
  assert.throws(
    () => folded(['ada', true], ['bob', true]),
    (error: unknown) => error instanceof Problem && error.code === 'already-reserved',
  );
});

test('an error is kept whatever it contains, but not all of it', () => {
  const parked = { ...timer(newUuid(), ''), error: `a\0b\ud800${'x'.repeat(9_000)}` };
  const error = encodeLists({ ...empty, timers: [parked] })?.timers[0]?.error ?? '';
  assert.is(error.slice(0, 4), 'a\ufffdb\ufffd');
  assert.is(error.length, 2_000);
});

test('what stands twice in a unit is named', () => {
  const cursor = { name: 'line', epoch: 1, settledTo: () => 0 };
  const handled = [1, 1].map((position) => ({ cursor, position, key: 'k' }));
  assert.throws(() => encodeLists({ ...empty, handled }), /Handled event \["line",1\] stands twice/);
});

test('the bytes of a unit count what its timers hold', () => {
  const timers = [timer(newUuid(), 'x'.repeat(10_000))];
  assert.ok((encodeLists({ ...empty, timers })?.bytes ?? 0) > 10_000);
});

function timer(id: string, data: string): SetTimer {
  return {
    id,
    kind: 'command',
    name: 'reminder',
    key: 'order-1',
    due: { inMs: 0 },
    again: 'replace',
    data,
    context: {},
  };
}

function step(key: string, owner: string, take: boolean): ReservationStep {
  return { key, name: 'email', owner, take };
}
