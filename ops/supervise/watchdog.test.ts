import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { checkVitals, watchdogDefaults } from './watchdog.js';

const test = suite('watchdog');

const limits = { ...watchdogDefaults, maxMemory: 500 };
const lively = { heartbeatAt: 9_900, readyAt: 1_000, isBlockedByCommand: false, memory: 100 };

test('a small host with a heartbeat is fine', () => {
  assert.is(checkVitals(lively, limits, 10_000), 'fine');
});

test('a host without a heartbeat for a second and a half is silent', () => {
  assert.is(checkVitals(lively, limits, 11_400), 'fine');
  assert.is(checkVitals(lively, limits, 11_401), 'silent');
});

test('a starting host may be silent, but not because a command or reaction blocks it', () => {
  const starting = { ...lively, readyAt: undefined };
  assert.is(checkVitals(starting, limits, 60_000), 'fine');
  assert.is(checkVitals({ ...starting, isBlockedByCommand: true }, limits, 11_400), 'fine');
  assert.is(checkVitals({ ...starting, isBlockedByCommand: true }, limits, 11_401), 'silent');
});

test('a host above the limit is too large once it has settled; without a limit it never is', () => {
  const large = { ...lively, memory: 501 };
  assert.is(checkVitals(large, limits, 10_000), 'too-large');
  assert.is(checkVitals({ ...large, readyAt: 6_000 }, limits, 10_000), 'fine');
  assert.is(checkVitals(large, { ...limits, maxMemory: undefined }, 10_000), 'fine');
});
