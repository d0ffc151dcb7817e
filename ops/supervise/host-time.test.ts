import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { drainTime, HostTime, startTime } from './host-time.js';

const test = suite('the time of a host');

/** How many seconds it takes until the time is over, when each second has this much waiting. */
function secondsUntilOver(waitedMs: number, limits = startTime): number {
  const time = new HostTime(limits);
  for (let looks = 1; ; looks++) if (time.spend(250, waitedMs / 4)) return looks / 4;
}

test('a host that runs or sleeps has a minute to start', () => assert.is(secondsUntilOver(0), 60));

test('what a host waits for a processor does not count: with half the time it has two minutes', () =>
  assert.is(secondsUntilOver(500), 120));

test('a host that never gets a processor is given up after five minutes', () =>
  assert.is(secondsUntilOver(1_000), 300));

test('a draining host has eleven seconds, and at most a minute where others have the processors', () => {
  assert.is(secondsUntilOver(0, drainTime), 11);
  assert.is(secondsUntilOver(1_000, drainTime), 60);
});

test('a supervisor that was kept from running for a minute gives up nobody for that', () => {
  const time = new HostTime(startTime);
  assert.not(time.spend(60_000, 0));
  assert.not(time.spend(59_000, 0));
});

test('a migration starts the time again', () => {
  const time = new HostTime(startTime);
  for (let looks = 0; looks < 239; looks++) assert.not(time.spend(250, 0));
  time.restart();
  assert.not(time.spend(250, 0));
});
