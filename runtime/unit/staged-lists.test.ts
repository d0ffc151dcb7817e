import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../lang/cancellation.js';
import { namedUuid } from '../lang/named-uuid.js';
import { RequestContext } from '../request/request-context.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { StagedLists } from './staged-lists.js';
import { StagedUnit } from './unit-of-work.js';

class Remind extends Command {}

const test = suite('Timers and reservations of a unit');

function unit(withReservations = true) {
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation() });
  const reservationKey = (tenant: string | undefined, name: string, value: string) =>
    namedUuid(tenant ?? '', name, value);
  return new StagedUnit(context, new InMemoryEventStore(), withReservations ? { reservationKey } : {});
}

const byName = { name: 'reminder', key: 'o-1' };

test('a unit with a timer or a reservation is not empty, one without has no lists', () => {
  const work = unit();
  assert.ok(work.isEmpty);
  assert.is(work.lists, undefined);
  work.schedule(new Remind(), { in: 'PT1M' });
  assert.not(work.isEmpty);
});

test('a timer that is refused leaves the unit as it was', () => {
  const work = unit();
  assert.throws(() => work.schedule(new Remind(), {}), /give either/);
  assert.ok(work.isEmpty);
});

test('of two timers of one name the last counts, unless it is to keep the first', () => {
  const work = unit();
  work.schedule(new Remind(), { in: 'PT1M', ...byName });
  work.schedule(new Remind(), { in: 'PT2M', ...byName });
  work.schedule(new Remind(), { in: 'PT3M', ...byName, again: 'keep' });
  assert.equal(
    work.lists?.timers.map(({ due }) => due),
    [{ inMs: 120_000 }],
  );
});

test('unscheduled after it was scheduled: nothing is set; scheduled again after that: it is', () => {
  const work = unit();
  work.schedule(new Remind(), { in: 'PT1M', ...byName });
  work.unschedule('reminder', 'o-1');
  work.unschedule('reminder', 'o-1');
  assert.equal([work.lists?.timers.length, work.lists?.ended.length], [0, 1]);
  work.schedule(new Remind(), { in: 'PT2M', ...byName });
  assert.equal([work.lists?.timers.length, work.lists?.ended.length], [1, 1]);
});

test('reservations are staged in order', () => {
  const work = unit();
  work.release('email', 'old', { owner: 'c' });
  work.reserve('email', 'new', { owner: 'c' });
  assert.equal(
    work.lists?.reservations.map(({ take }) => take),
    [false, true],
  );
});

test('without a store for reservations the receptor learns it at once', () => {
  assert.throws(() => unit(false).reserve('email', 'a', { owner: 'c' }), /no store for reservations/);
});

test('a timer that fires may be set again by its own command, and is ended once', () => {
  const work = unit();
  work.schedule(new Remind(), { in: 'PT1M', ...byName });
  const [again] = work.lists?.timers ?? [];
  assert.ok(again && work.lists);
  const all = new StagedLists();
  all.add({ ended: [{ id: again.id, firedAt: '2026-01-01T00:00:00Z' }] });
  all.add(work.lists);
  work.unschedule('reminder', 'o-1');
  assert.equal([all.timers, all.ended], [[again], [{ id: again.id, firedAt: '2026-01-01T00:00:00Z' }]]);
  all.add(work.lists);
  assert.equal([all.timers, all.ended.length], [[], 1]);
});

test('after the command ended nothing can be staged', () => {
  const work = unit();
  work.close();
  for (const use of [
    () => work.schedule(new Remind(), { in: 'PT1M' }),
    () => work.unschedule('reminder'),
    () => work.reserve('email', 'a', { owner: 'c' }),
  ])
    assert.throws(use, /used after its command ended/);
});
