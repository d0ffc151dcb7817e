import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Attendance } from './attendance.js';
import { defaultOptions } from './default-options.js';
import { deploymentOf, inMemoryJournal } from './testing/in-memory-journal.js';
import { healthy, simulatedState } from './testing/simulated-front.js';
import { inMemory, simulatedTarget } from './testing/simulated-target.js';
import { VirtualClock } from './testing/virtual-clock.js';
import { watchStage } from './watch-stage.js';

const test = suite('stage of a deployment');

/** What a stage says when these requests and errors have come. */
async function verdict(requests: number, errors: number): Promise<string> {
  const options = { ...defaultOptions('canary'), oldReplicas: 10, holdMs: 0 };
  const [clock, journal] = [new VirtualClock(), inMemoryJournal(deploymentOf('canary', options))];
  const state = simulatedState(10, 0);
  const target = simulatedTarget(inMemory(state), { ...healthy, requestsPerSecond: 0 }, clock);
  Object.assign(state.sides.new, { replicas: 1, ready: 1, requests: 1_000, errors: 900 });
  const attendance = new Attendance(journal, clock, new AbortController().signal, false);
  const gate = async () => ({ ok: true, reason: '' });
  void clock.sleep(100).then(() => {
    state.sides.new.requests += requests;
    state.sides.new.errors += errors;
  });
  return watchStage({ do: 'watch', forMs: 60_000, holds: true }, 0, {
    target,
    gate,
    journal,
    options,
    attendance,
  }).then(
    () => 'passed',
    (error: unknown) => (error as Error).message,
  );
}

test('errors of exactly 5 percent pass, and one more reverts', async () => {
  assert.is(await verdict(200, 10), 'passed');
  assert.is(await verdict(200, 11), '5.5 % of 200 requests failed, more than 5 %');
  assert.is(await verdict(20_000, 1_000), 'passed');
  assert.is(await verdict(20_000, 1_001), '5 % of 20000 requests failed, more than 5 %');
});

test('the errors of 199 requests decide nothing', async () => {
  assert.match(await verdict(199, 199), /^not enough traffic: 199 of 200 requests/);
  assert.is(await verdict(200, 0), 'passed');
});
