import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { readOptions, suiteNames } from './options.js';

const test = suite('bench options');

test('without arguments everything is measured, in five rounds', () => {
  assert.equal(readOptions([]), {
    suites: suiteNames,
    rounds: 5,
    seconds: undefined,
    records: undefined,
    scale: 1,
    isAlone: false,
    against: undefined,
    isStrict: false,
    json: false,
    record: false,
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
      scale: 1,
      isAlone: false,
      against: undefined,
      isStrict: false,
      json: true,
      record: false,
    },
  );
});

test('everything is compared with a commit, also smaller and without peers', () => {
  const { suites, against, scale, isAlone } = readOptions([
    '--against',
    'HEAD~1',
    '--scale',
    '0.01',
    '--alone',
  ]);
  assert.equal(
    { suites, against, scale, isAlone },
    { suites: suiteNames, against: 'HEAD~1', scale: 0.01, isAlone: true },
  );
});

for (const args of [
  ['htp'],
  ['--rounds', '0'],
  ['--seconds', 'x'],
  ['--records', '0'],
  ['--scale', '-1'],
  ['--loud'],
]) {
  test(`'${args.join(' ')}' is refused with the usage`, () => {
    assert.throws(
      () => readOptions(args),
      (error: unknown) => error instanceof Problem && error.message.includes('npm run bench'),
    );
  });
}
