import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import { ProcessEnded, ProcessStarted, ScheduleMissed, TimersMissed } from './process.js';

const test = suite('events/process');

const id = '0190b5d4-0000-7000-8000-000000000001';
const timestamp = '2026-03-01T09:30:00Z';
const started = { id, processName: 'order-fulfilment', key: 'o-1', version: 2, timestamp };

test('ProcessStarted and ProcessEnded record which instance it was, how it ended and after which time', () => {
  assert.is(JSON.stringify(new ProcessStarted(started)), JSON.stringify(started));
  assert.equal(faultsOf(new ProcessStarted(started)), []);
  const { timestamp: _, ...rest } = started;
  const ended = { ...rest, outcome: 'cancelled', duration: 'PT900S', timestamp };
  assert.is(JSON.stringify(new ProcessEnded(ended)), JSON.stringify(ended));
  assert.equal(faultsOf(new ProcessEnded(ended)), []);
});

test('TimersMissed records how many timers are late and since when, ScheduleMissed what became of the occurrences', () => {
  const timers = { id, count: 3, oldestDue: timestamp, timestamp };
  assert.is(JSON.stringify(new TimersMissed(timers)), JSON.stringify(timers));
  assert.equal(faultsOf(new TimersMissed(timers)), []);
  const schedule = { id, scheduleName: 'nightly-close', missed: 2, policy: 'once', timestamp } as const;
  assert.is(JSON.stringify(new ScheduleMissed(schedule)), JSON.stringify(schedule));
  assert.equal(faultsOf(new ScheduleMissed(schedule)), []);
  const wrong = new ScheduleMissed({ ...schedule, policy: 'never' as 'once' });
  assert.equal(
    faultsOf(wrong).map(({ path }) => path),
    ['/policy'],
  );
});

test('they are system events that are not audited', () => {
  for (const type of [ProcessStarted, ProcessEnded, TimersMissed, ScheduleMissed]) {
    assert.ok(type.prototype instanceof SystemEvent, type.name);
    assert.is(auditMarkOf(type)?.exclude, true, type.name);
  }
});
