import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { cpuOf, secondsOf, timeIn } from './processes.js';

const test = suite('bench processes');

test('the time of a process contains that of its children that have ended', () => {
  const stat = '4711 (node (x) y) S 17 4711 4711 0 -1 4194560 100 0 0 0 250 50 40 10 20 0 11 0 1000';
  assert.equal(timeIn(stat), { pid: 4711, parent: 17, seconds: 3.5 });
});

test('all that a process started counts once, and nothing else', () => {
  const of = (pid: number, parent: number) => ({ pid, parent, seconds: 1 });
  const all = [of(5, 4), of(4, 1), of(6, 5), of(7, 1), of(8, 7)];
  assert.is(secondsOf([4], all), 3);
  assert.is(secondsOf([4, 5], all), 3);
});

test('the processes of this machine are found', async () => {
  if (process.platform === 'linux') assert.ok((await cpuOf([process.pid])) > 0);
  else assert.ok(Number.isNaN(await cpuOf([process.pid])));
});
