import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { WaitingFiles } from './waiting-files.js';

const test = suite('waiting-files');

test('A worker continues in the room of its last file, then takes the longest file that is left', () => {
  const waiting = new WaitingFiles(['ops/cli/a', 'ops/host/b', 'ops/c', 'ops/cli/deep/d', 'ops/e']);
  const taken: string[] = [];
  for (let file = waiting.take(); file !== undefined; file = waiting.take(file)) taken.push(file);
  assert.equal(taken, ['ops/cli/a', 'ops/cli/deep/d', 'ops/host/b', 'ops/c', 'ops/e']);
});

test('Workers begin in different rooms, and help in a room when no other one is left', () => {
  const waiting = new WaitingFiles(['ops/cli/a', 'ops/cli/b', 'ops/host/c', 'ops/cli/d']);
  assert.equal([waiting.take(), waiting.take()], ['ops/cli/a', 'ops/host/c']);
  assert.is(waiting.take('ops/host/c'), 'ops/cli/b');
  assert.is(waiting.take('ops/cli/a'), 'ops/cli/d');
  assert.is(waiting.take('ops/cli/b'), undefined);
});
