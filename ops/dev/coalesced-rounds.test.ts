import { once } from 'node:events';
import { setImmediate as nextTick } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { CoalescedRounds } from './coalesced-rounds.js';

const test = suite('rounds');

test('changes during a round make one more, and the round learns that it is outdated', async () => {
  const outdated: boolean[] = [];
  let open = (): void => undefined;
  const rounds = new CoalescedRounds(async (signal) => {
    await new Promise<void>((resolve) => (open = resolve));
    outdated.push(signal.aborted);
  });
  rounds.request();
  await nextTick();
  for (let changes = 0; changes < 3; changes++) rounds.request();
  open();
  await nextTick();
  open();
  await nextTick();
  assert.equal(outdated, [true, false]);
});

test('a round that waits for what never happens learns of the next change', async () => {
  const ends: string[] = [];
  const rounds = new CoalescedRounds(async (signal) => {
    await once(signal, 'abort');
    ends.push('outdated');
  });
  for (let changes = 0; changes < 3; changes++) {
    rounds.request();
    await nextTick();
  }
  assert.equal(ends, ['outdated', 'outdated']);
});
