import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import {
  afterCrash,
  noCrashes,
  restartDefaults,
  type RestartPolicy,
  type RestartDecision,
} from './restart-policy.js';

const test = suite('restart policy');

/** The decision after each of these crashes, one second of running apart. */
function verdicts(count: number, random: number, policy: RestartPolicy, everyMs = 1_000): RestartDecision[] {
  const all: RestartDecision[] = [];
  for (let n = 0; n < count; n++) {
    const crash = { at: n * everyMs, ranMs: everyMs };
    all.push(afterCrash(policy, all.at(-1)?.crashes ?? noCrashes, crash, random));
  }
  return all;
}

const patient = { ...restartDefaults, restarts: 100 };

test('the maximum delay doubles with every crash, up to 30 s', () => {
  const delays = verdicts(11, 1, patient).map(({ restartInMs }) => restartInMs);
  assert.equal(delays, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
});

test('the delay is random below the maximum, so that not all restart at once', () => {
  assert.is(afterCrash(patient, noCrashes, { at: 0, ranMs: 0 }, 0).restartInMs, 0);
  assert.is(afterCrash(patient, noCrashes, { at: 0, ranMs: 0 }, 0.5).restartInMs, 50);
});

test('after 30 s without a crash the first delay is used again', () => {
  const crashes = verdicts(6, 1, patient).at(-1)?.crashes ?? noCrashes;
  assert.is(afterCrash(patient, crashes, { at: 40_000, ranMs: 29_999 }, 1).restartInMs, 6_400);
  assert.is(afterCrash(patient, crashes, { at: 40_000, ranMs: 30_000 }, 1).restartInMs, 100);
});

test('one more restart than allowed within the period is too many', () => {
  const decided = verdicts(11, 0, restartDefaults).map(({ restartInMs }) => restartInMs);
  assert.equal(decided.indexOf(undefined), 10);
});

test('crashes that are far enough apart are never too many, and are forgotten', () => {
  const all = verdicts(200, 1, restartDefaults, 6_500);
  assert.ok(all.every(({ restartInMs }) => restartInMs !== undefined));
  assert.ok((all.at(-1)?.crashes.at.length ?? 99) <= 10);
});
