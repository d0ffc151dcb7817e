import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { newUuid } from '../../../../contracts/uuid.js';
import { timeOfId } from './rebuilt-request.js';

const test = suite('request rebuilt from the audit');

test('an id of version 7 holds the time when it was made; others do not', () => {
  const now = Date.now() + 60_000;
  assert.is(timeOfId(newUuid(now)), now);
  for (const id of ['', 'c-1', '9b2f1c1e-4a5d-4c3b-8f7e-1a2b3c4d5e6f'])
    assert.is(timeOfId(id), undefined, id);
});

test('an id that a client has made up for a time to come holds no time', () => {
  const now = Date.now();
  for (const id of ['ffffffff-ffff-7fff-bfff-ffffffffffff', newUuid(now + 3_600_000)])
    assert.is(timeOfId(id, now), undefined, id);
});
