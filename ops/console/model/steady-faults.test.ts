import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { fault, type Fault, type StateLevel } from './state-sentence.js';
import { SteadyFaults } from './steady-faults.js';

const test = suite('steady faults');

const crashes = (level: StateLevel, failed = 13): Fault =>
  fault('crashes', level, `${failed} of 26 failed.`, 'requests');
const late = fault('check event_loop', 'warn', 'The event loop is late.', 'health');

const shown = (faults: readonly Fault[]): readonly string[] =>
  faults.map(({ level, text }) => `${level}: ${text}`);

test('what is worse is shown at once', () => {
  const steady = new SteadyFaults();
  assert.equal(shown(steady.order([late], 0)), ['warn: The event loop is late.']);
  assert.equal(shown(steady.order([crashes('bad'), late], 100)), [
    'bad: 13 of 26 failed.',
    'warn: The event loop is late.',
  ]);
});

test('near a border the level does not change to and fro, and counts are current', () => {
  const steady = new SteadyFaults();
  steady.order([crashes('bad')], 0);
  for (let at = 1_000; at < 20_000; at += 1_000) {
    const isMilder = at % 2_000 === 0;
    const found = isMilder ? [late, crashes('warn', 12)] : [crashes('bad'), late];
    assert.is(shown(steady.order(found, at))[0], `bad: ${isMilder ? 12 : 13} of 26 failed.`);
  }
});

test('another fault of the same level does not displace the first', () => {
  const steady = new SteadyFaults();
  steady.order([crashes('warn')], 0);
  assert.is(shown(steady.order([late, crashes('warn')], 60_000))[0], 'warn: 13 of 26 failed.');
});

test('a fault that has gone is shown for a few seconds, then what is left', () => {
  const steady = new SteadyFaults();
  steady.order([crashes('bad'), late], 0);
  assert.is(shown(steady.order([late], 4_999))[0], 'bad: 13 of 26 failed.');
  assert.equal(shown(steady.order([late], 5_000)), ['warn: The event loop is late.']);
  assert.equal(shown(steady.order([], 9_999)), ['warn: The event loop is late.']);
  assert.equal(shown(steady.order([], 10_000)), []);
});
