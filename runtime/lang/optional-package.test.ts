import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { mustBeInstalled } from './optional-package.js';

const test = suite('optional package');

test('an installed package passes', () => {
  mustBeInstalled('amqplib', 'The check of an AMQP broker');
});

test('a missing package is a problem that names on one line who needs it and what to type', () => {
  const problem = refusalOf(() => mustBeInstalled('no-such-package', 'The tea', 'development'));
  assert.is(problem?.code, 'invalid-setup');
  assert.is(
    problem?.message,
    'The tea needs no-such-package, which is not installed. Run `npm install --save-dev --include=dev no-such-package@latest`.',
  );
});

function refusalOf(act: () => void): Problem | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error as Problem;
  }
}
