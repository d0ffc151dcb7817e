import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { comparableSuites, readOptions, suiteNames } from './options.js';

const test = suite('bench options');

test('without arguments everything is measured, in five rounds', () => {
  assert.equal(readOptions([]), {
    suites: suiteNames,
    rounds: 5,
    seconds: undefined,
    records: undefined,
    against: undefined,
    json: false,
  });
});

test('one bench, longer, for machines', () => {
  assert.equal(
    readOptions(['audit', '--rounds', '9', '--seconds', '0.5', '--records', '1000000', '--json']),
    {
      suites: ['audit'],
      rounds: 9,
      seconds: 0.5,
      records: 1_000_000,
      against: undefined,
      json: true,
    },
  );
});

test('against a commit only the comparable benches are measured', () => {
  const { suites, against } = readOptions(['--against', 'HEAD~1']);
  assert.equal({ suites, against }, { suites: comparableSuites, against: 'HEAD~1' });
});

for (const args of [
  ['htp'],
  ['tail', '--against', 'HEAD'],
  ['--rounds', '0'],
  ['--seconds', 'x'],
  ['--records', '0'],
  ['--loud'],
]) {
  test(`'${args.join(' ')}' is refused with the usage`, () => {
    assert.throws(
      () => readOptions(args),
      (error: unknown) => error instanceof Problem && error.message.includes('npm run bench'),
    );
  });
}

test.run();
