import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Unhandled } from './step-errors.js';
import { loggedFailure, stepFailure } from './step-failure.js';

const test = suite('what is said about a failed step');

const declined = new Problem('card-declined', { status: 402, detail: 'Card 4242 was declined.' });

test('an error is shown with its code, on any length of text at most 2,000 characters of it', () => {
  assert.equal(stepFailure(declined, false), {
    name: 'Problem',
    message: 'Card 4242 was declined.',
    code: 'card-declined',
  });
  assert.is(stepFailure(new Error('x\0'.repeat(5_000)), false).message, 'x'.repeat(2_000));
  assert.is(stepFailure('thrown text', false).message, 'thrown text');
});

test('an error that may contain a sensitive value is hidden, its kind is not', () => {
  for (const failure of [declined, new Unhandled(declined)]) {
    const { name, message, code } = stepFailure(failure, true);
    assert.equal([name, code], ['Problem', 'card-declined']);
    assert.match(message, '[redacted] (23 characters)');
  }
});

test('the log also says where an error was thrown, and never what a hidden one says', () => {
  for (const failure of [declined, new Unhandled(declined)]) {
    const { stack, ...shown } = loggedFailure(stepFailure(failure, true), failure);
    assert.equal(shown, stepFailure(failure, true));
    assert.match(stack, /^ +at .*step-failure\.test\.[jt]s:\d+:\d+/);
    assert.not.match(stack, '4242');
  }
});

test('what the runtime itself says contains no values and stays', () => {
  const gone = 'No schedule is named nightly; cancel its timer, or bring the schedule back.';
  assert.is(stepFailure(new Unhandled(gone), true).message, gone);
  const deep = new Problem('causation-too-deep', { detail: 'Look for two that answer each other.' });
  assert.is(stepFailure(new Unhandled(deep), true).message, 'Look for two that answer each other.');
});
