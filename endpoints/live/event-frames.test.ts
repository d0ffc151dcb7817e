import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { closedFrame, frameOf, heartbeatFrame } from './event-frames.js';

const test = suite('frames of a live stream');

const at = { position: 7, model: 9 };

test('every message is one event with its position as id', () => {
  assert.is(frameOf({ at, event: 'ready' }).toString(), 'id: 7.9\nevent: ready\ndata: {}\n\n');
  assert.is(
    frameOf({ at, event: 'changed', key: 'k', model: '{"n":1}' }).toString(),
    'id: 7.9\nevent: changed\ndata: {"id":"k","row":{"n":1}}\n\n',
  );
  assert.is(closedFrame('slow'), 'event: closed\ndata: {"reason":"slow"}\n\n');
});

test('a hostile id stays inside its event', () => {
  const key = 'a\n\nevent: closed\ndata: {}\r\r\u2028"\\';
  const frame = frameOf({ at, event: 'gone', key }).toString();
  assert.is(frame.split(/\n|\r/).length, 5);
  assert.is(JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).id, key);
});

test('a message is encoded once for all who get it', () => {
  const message = { at, event: 'gone', key: 'k' } as const;
  assert.is(frameOf(message), frameOf(message));
});

test('a heartbeat is a comment that keeps the position recent', () => {
  assert.is(heartbeatFrame(undefined), ': \n\n');
  assert.is(heartbeatFrame(at), ': \nid: 7.9\n\n');
});
