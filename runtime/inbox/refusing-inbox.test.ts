import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryInbox } from '../testing/in-memory-inbox.js';
import { refusingInbox } from './refusing-inbox.js';

const test = suite('refusing inbox');

test('messages are stored again once writing is allowed, and the lease is held meanwhile', async () => {
  let isRefused = true;
  const inbox = refusingInbox(new InMemoryInbox().heldBy('north'), () => {
    if (isRefused) throw new Problem('store-went-back');
  });
  assert.ok((await inbox.acquireLease(60_000)).held);
  for (const store of [inbox.storeEvents([], 60_000), inbox.storeRecords([], 60_000)])
    assert.is(await store.catch((error: Problem) => error.code), 'store-went-back');
  isRefused = false;
  assert.equal([await inbox.storeEvents([], 60_000), await inbox.storeRecords([], 60_000)], [[], []]);
});
