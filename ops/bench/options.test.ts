import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { readOptions, suiteNames } from './options.js';

const test = suite('bench options');

test('without arguments everything is measured, in five rounds', () => {
  assert.equal(readOptions([]), {
    suites: suiteNames,
    rounds: 5,
    seconds: undefined,
    json: false,
  });
});

test('one bench, longer, for machines', () => {
  assert.equal(readOptions(['append', '--rounds', '9', '--seconds', '0.5', '--json']), {
    suites: ['append'],
    rounds: 9,
    seconds: 0.5,
    json: true,
  });
});

for (const args of [['htp'], ['--rounds', '0'], ['--seconds', 'x'], ['--loud']]) {
  test(`'${args.join(' ')}' is refused with the usage`, () => {
    assert.throws(
      () => readOptions(args),
      (error: unknown) => error instanceof Problem && error.message.includes('npm run bench'),
    );
  });
}

test.run();
