import * as assert from 'uvu/assert';
import { isUuid } from './scalars.js';
import { SystemEventStreams } from './system-stream.js';
import { suite } from './testing/suite.js';

const test = suite('system-stream');

test('the system stream has a fixed name, prefix and id', () => {
  assert.equal(SystemEventStreams, {
    name: '$svc-system',
    prefix: '$svc-',
    streamId: '00000000-0000-0000-0000-000000000001',
  });
  assert.ok(isUuid(SystemEventStreams.streamId));
  assert.ok(SystemEventStreams.name.startsWith(SystemEventStreams.prefix));
});
