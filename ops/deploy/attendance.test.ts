import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { abortText, Attendance, StepFailed } from './attendance.js';
import { defaultOptions } from './default-options.js';
import { gateOf } from './gates.js';
import { deploymentOf, inMemoryJournal } from './testing/in-memory-journal.js';
import { VirtualClock } from './testing/virtual-clock.js';

const test = suite('reasons of a deployment');

const { signal } = new AbortController();

const reasonOf = async (message: string): Promise<string> => {
  const journal = inMemoryJournal(deploymentOf('canary', { ...defaultOptions('canary'), oldReplicas: 1 }));
  const attendance = new Attendance(journal, new VirtualClock(), undefined, false);
  const failure: unknown = await attendance
    .during(1_000, () => Promise.reject(new RangeError(message)))
    .catch((error: unknown) => error);
  assert.ok(failure instanceof StepFailed);
  return failure.message;
};

test('what a driver throws becomes one bounded line without the password of a URL', async () => {
  assert.is(await reasonOf('the front is away\n    at connect'), 'the front is away');
  assert.is(await reasonOf('no answer of https://ann:secret@front/'), 'no answer of https://front/');
  assert.is((await reasonOf('x'.repeat(1_000_000))).length, 1_000);
});

test('a reason is a part of a sentence: it ends without a full stop of its own', async () => {
  assert.is(await reasonOf('the host did not answer.'), 'the host did not answer');
  assert.is(abortText('it was too slow.'), 'aborted by an operator: it was too slow');
});

test('a check of several lines is named on one', async () => {
  const gate = gateOf({ builtIn: false, pre: 'true\nexit 3\n' }, undefined, undefined);
  assert.equal(await gate('pre', signal), { ok: false, reason: 'true exit 3: exit code 3' });
  const long = gateOf({ builtIn: false, pre: `exit 4 # ${'x'.repeat(5_000)}` }, undefined, undefined);
  assert.match((await long('pre', signal)).reason, /^exit 4 # x{191}…: exit code 4$/);
});
