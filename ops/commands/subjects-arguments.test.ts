import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { parseSubjects } from './subjects-arguments.js';

const test = suite('arguments of svc subjects');

test('forget takes one id and a reason', () => {
  assert.equal(parseSubjects(['forget', 'c-1', '--reason', ' request 4711 ', '--json']), {
    id: 'c-1',
    reason: 'request 4711',
    json: true,
  });
});

for (const [args, says] of [
  [[], /Give one action and one id/],
  [['forget'], /Give one action and one id/],
  [['list'], /Give one action and one id/],
  [['forget', 'a', 'b', '--reason', 'r'], /Give one action and one id/],
  [['forget', '', '--reason', 'r'], /a text of 1 to 1000 characters/],
  [['forget', 'x'.repeat(1_001), '--reason', 'r'], /a text of 1 to 1000 characters/],
  [['forget', 'c-1'], /Say why with --reason/],
  [['forget', 'c-1', '--reason', ' '], /Say why with --reason/],
  [['forget', 'c-1', '--force'], /--force/],
] as const)
  test(`svc subjects ${args.join(' ').slice(0, 40)} is refused`, async () => {
    const { code, message } = await thrownBy(() => parseSubjects(args));
    assert.is(code, 'usage');
    assert.match(message, says);
    assert.match(message, /see svc subjects --help\.$/);
  });
