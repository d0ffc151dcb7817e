import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { FrameSender } from './frame-sender.js';

const test = suite('frame sender');

test('frames over the limit in flight are dropped and counted; sent frames make room', () => {
  const line = new FrameSender(10);
  const written: (() => void)[] = [];
  const send = (...frames: string[]) => line.send(frames, (sent) => void written.push(sent));
  send('12345678');
  send('123', '4');
  assert.equal([written.length, line.takeMissed(), line.takeMissed()], [1, 2, 0]);
  written[0]?.();
  send('123', '4');
  assert.equal([written.length, line.takeMissed()], [2, 0]);
});

test('a batch larger than the limit is sent when nothing else is in flight', () => {
  const line = new FrameSender(2);
  let writes = 0;
  line.send(['12345'], () => writes++);
  assert.is(writes, 1);
});
