import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Secrets } from '../../runtime/logging/secrets.js';
import { Unhandled } from './step-errors.js';
import { loggedFailure, stepFailure } from './step-failure.js';

const test = suite('what is said about a failed step');

const declined = new Problem('card-declined', { status: 402, detail: 'Card 4242 was declined.' });

test('an error is shown with its code, on any length of text at most 2,000 characters of it', () => {
  assert.equal(stepFailure(declined, undefined), {
    name: 'Problem',
    message: 'Card 4242 was declined.',
    code: 'card-declined',
  });
  assert.is(stepFailure(new Error('x\0'.repeat(5_000)), undefined).message, 'x'.repeat(2_000));
  assert.is(stepFailure('thrown text', undefined).message, 'thrown text');
});

test('sensitive values that are at hand are hidden where they occur, and nothing else', () => {
  const secrets = new Secrets().add({ card: '4242' }, { card: '[redacted]' });
  for (const failure of [declined, new Unhandled(declined)])
    assert.is(stepFailure(failure, secrets).message, 'Card [redacted] was declined.');
  assert.is(stepFailure(new Error('the gateway answered 503'), secrets).message, 'the gateway answered 503');
});

test('the title of a problem is never hidden', () => {
  const titled = new Problem('sms-refused', { status: 502, title: 'The gateway refused the text' });
  const secrets = new Secrets().add('text', '[redacted]');
  for (const hidden of [secrets, 'any'] as const)
    assert.is(stepFailure(titled, hidden).message, 'The gateway refused the text');
  const detailed = new Problem('sms-refused', { title: titled.title, detail: 'No 555 0100.' });
  assert.match(stepFailure(detailed, 'any').message, /^The gateway refused the text: \[redacted\] \(12 /);
});

test('an error that may contain a sensitive value which is not at hand is hidden, its kind is not', () => {
  for (const failure of [declined, new Unhandled(declined)]) {
    const { name, message, code } = stepFailure(failure, 'any');
    assert.equal([name, code], ['Problem', 'card-declined']);
    assert.match(message, '[redacted] (23 characters)');
  }
});

test('the log also says where an error was thrown, and never what a hidden one says', () => {
  for (const failure of [declined, new Unhandled(declined)]) {
    const { stack, ...shown } = loggedFailure(stepFailure(failure, 'any'), failure);
    assert.equal(shown, stepFailure(failure, 'any'));
    assert.match(stack, /^ +at .*step-failure\.test\.[jt]s:\d+:\d+/);
    assert.not.match(stack, '4242');
  }
});

test('what the runtime itself says contains no values and stays', () => {
  const gone = 'No schedule is named nightly; cancel its timer, or bring the schedule back.';
  assert.is(stepFailure(new Unhandled(gone), 'any').message, gone);
  const deep = new Problem('causation-too-deep', { detail: 'Look for two that answer each other.' });
  assert.is(stepFailure(new Unhandled(deep), 'any').message, 'Look for two that answer each other.');
});
