import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { cpuSecondsIn } from './cpu-time.js';

const test = suite('bench cpu time');

test('user and system time are summed, whatever the process is called', () => {
  const stat = '4711 (node (x) y) S 1 4711 4711 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 11 0 1000';
  assert.is(cpuSecondsIn(stat), 3);
});
