import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { streamReferenceIn } from './stream-reference.js';

const test = suite('reference to a stream');

const streamId = '018f0000-0000-7000-8000-000000000001';

test('a record about an event refers to its stream and position', () => {
  assert.equal(streamReferenceIn(`${streamId} @ 3`), { streamId, position: 3 });
  assert.equal(streamReferenceIn(`BreadBaked in ${streamId} @ 12`), { streamId, position: 12 });
});

test('other subjects refer to none', () => {
  for (const subject of ['', 'BakeBread', streamId, `${streamId} @ x`, `${streamId} @ 1 (3 times)`])
    assert.is(streamReferenceIn(subject), undefined, subject);
});
