import * as assert from 'uvu/assert';
import type { ClaimedEffect } from '../../contracts/effect-store.js';
import { Problem } from '../../contracts/problems.js';
import type { Json, Timestamp, Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { Claims } from './claims.js';

const test = suite('claims of effects');

/** A store that prolongs every claim, and what it was asked. */
function scene(beatMs: number) {
  const asked: { readonly ids: readonly Uuid[]; readonly progress: Json | undefined }[] = [];
  const state = { isAway: false };
  let beats = 0;
  const store = {
    beat: async (claims: readonly { readonly id: Uuid }[], _ms: number, progress?: Json) => {
      asked.push({ ids: claims.map(({ id }) => id), progress });
      const { isAway } = state;
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (isAway) throw new Problem('store-unavailable');
      const dueAt = `due ${++beats}` as Timestamp;
      return new Map(claims.map(({ id }) => [id, dueAt]));
    },
  };
  const claims = new Claims(store, { claimMs: 60_000, beatMs });
  const add = () => {
    const claimed = { id: newUuid(), dueAt: 'due 0' as Timestamp };
    return claims.add(claimed as ClaimedEffect, performance.now(), () => undefined);
  };
  return { claims, asked, add, state };
}

test('no beat moves the due time that a commit names, and beats follow again when it is tried again', async () => {
  const { claims, asked, add } = scene(10);
  const [ending, other] = [add(), add()];
  const dueAt = await claims.settled(ending, AbortSignal.timeout(5_000));
  const from = asked.length;
  await until(() => asked.length > from + 3);
  assert.ok(asked.slice(from).every(({ ids }) => ids.length === 1 && ids[0] === other.id));
  assert.is(ending.dueAt, dueAt);
  claims.continues(ending);
  await until(() => asked.at(-1)?.ids.length === 2);
  claims.remove(ending);
  claims.remove(other);
});

test('progress counts as kept once it is stored, also when the store was away', async () => {
  const { claims, asked, add, state } = scene(60_000);
  const claim = add();
  state.isAway = true;
  const kept = claims.keep(claim, 'part 3');
  await until(() => asked.length > 0);
  state.isAway = false;
  assert.is(await kept, true);
  assert.equal(
    asked.map(({ progress }) => progress),
    ['part 3', 'part 3'],
  );
  claims.remove(claim);
});

test('of a thousand details in a row the newest is stored, and they cost no more than two beats', async () => {
  const { claims, asked, add } = scene(60_000);
  const claim = add();
  const kept = await Promise.all(Array.from({ length: 1_000 }, (_, at) => claims.keep(claim, { at })));
  assert.ok(kept.every(Boolean));
  assert.ok(asked.length <= 2, String(asked.length));
  assert.equal(asked.at(-1)?.progress, { at: 999 });
  claims.remove(claim);
});
