import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readChaosArguments } from './options.js';

const test = suite('chaos options');
const drawn = () => 5;

test('seed, kills and seconds are whole numbers; without a seed one is drawn', () => {
  assert.equal(readChaosArguments(['--seed', '7', '--kills', '3', '--seconds', '60'], drawn), {
    seed: 7,
    kills: 3,
    seconds: 60,
  });
  assert.equal(readChaosArguments([], drawn), { seed: 5, kills: undefined, seconds: undefined });
});

test('anything else is told with an example', () => {
  for (const args of [['--seed', 'x'], ['--kills', '-1'], ['--seed'], ['--loud'], ['more']])
    assert.throws(() => readChaosArguments(args, drawn), /npm run chaos -- --seed N/);
});

test.run();
