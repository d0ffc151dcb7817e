import { userInfo } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { currentOperator } from './operator.js';

const test = suite('operator of the command line');

test('SVC_ACTOR names the operator, on one line of at most 256 characters', () => {
  assert.is(currentOperator({ SVC_ACTOR: ' ann ' }), 'ann');
  assert.is(currentOperator({ SVC_ACTOR: 'ann\n\u001b bob' }), 'ann bob');
  assert.is(currentOperator({ SVC_ACTOR: 'x'.repeat(100_000) }).length, 256);
  for (const blank of [undefined, '', ' \n'])
    assert.is(
      currentOperator({ SVC_ACTOR: blank }),
      userInfo().username,
      'else the user of the operating system',
    );
});
