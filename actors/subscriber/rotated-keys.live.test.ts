import * as assert from 'uvu/assert';
import type { StoreTrusted } from '../../contracts/events/store-trusted.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import type { InboundMessage } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { chainHeadType } from '../../runtime/audit/chain.js';
import type { Inbox } from '../../runtime/inbox/inbox.js';
import { inbound } from '../../runtime/testing/foreign-events.js';
import { keyFromSeed, newSeed } from '../../runtime/trust/ed25519.js';
import { type KeyRotation, rotationsText, signRotation } from '../../runtime/trust/key-rotation.js';
import { signHead } from '../../runtime/trust/signed-head.js';
import type { StoreKey } from '../../runtime/trust/store-key.js';
import {
  eventsOf,
  lettersIn,
  type ReceiverScene,
  signingStore,
  withReceiver,
} from '../testing/receiver-scene.js';

const test = suite('keys that a store has replaced');

/** A store with its first key, and those that replaced it after positions 10 and 20. */
function rotatingStore() {
  const store = signingStore();
  const { key: first } = store;
  const rotations: KeyRotation[] = [];
  const next = (previous: StoreKey, upTo: number, before: readonly KeyRotation[] = []): StoreKey => {
    const pair = keyFromSeed(newSeed());
    const all = [...before, signRotation(store.id, previous, pair, upTo)];
    rotations.splice(0, rotations.length, ...all);
    return { storeId: store.id, ...pair, rotations: rotationsText(all) };
  };
  const second = next(first, 10);
  const third = next(second, 20, [...rotations]);
  const at = (position: number, by: StoreKey): InboundMessage =>
    store.signed(store.event(newUuid(), { globalPosition: position }), undefined, by);
  /** A head of the chain, as the store publishes it. */
  const head = (position: number, by: StoreKey, publishedTo = position): InboundMessage => {
    const hash = Buffer.alloc(32, position).toString('hex');
    const signedAt = `2026-03-01T09:30:${String(position).padStart(2, '0')}.000Z`;
    const payload = signHead(
      { position, hash, at: signedAt, history: { epoch: 1, forks: '', publishedTo } },
      by,
    );
    return inbound(store.event(SystemEventStreams.streamId, { messageType: chainHeadType, payload }));
  };
  return { store, first, second, third, at, next, head };
}

const hexOf = ({ publicKey }: StoreKey): string => publicKey.toString('hex');

const pinned = async ({ database }: ReceiverScene, store: string): Promise<unknown> =>
  (
    await database.rows({
      text: `SELECT encode(public_key, 'hex') FROM svc_origins WHERE store = $1`,
      values: [store],
    })
  )[0]?.[0];

const trust = ({ database }: ReceiverScene, store: string, key?: StoreKey) =>
  database.rows({ text: 'SELECT svc_trust_store($1, $2, $3)', values: [store, key?.publicKey, 'ann'] });

/** The messages of one batch, by the position and the key of each. */
const orders: Readonly<Record<string, readonly (readonly [position: number, key: 'first' | 'second'])[]>> = {
  'the old key first': [
    [9, 'first'],
    [10, 'first'],
    [11, 'second'],
  ],
  'the new key first': [
    [11, 'second'],
    [9, 'first'],
    [10, 'first'],
  ],
  mixed: [
    [9, 'first'],
    [12, 'second'],
    [10, 'first'],
    [11, 'second'],
  ],
};

for (const mode of ['strict', 'pin'] as const)
  for (const [order, messages] of Object.entries(orders))
    for (const batches of ['one batch', 'single messages'] as const)
      test(`${mode}: messages signed with both keys are taken in any order: ${order}, in ${batches}`, () =>
        withReceiver(mode, async (scene) => {
          const { store, at, first, second } = rotatingStore();
          if (mode === 'strict') await trust(scene, store.id, first);
          const all = messages.map(([position, key]) => at(position, { first, second }[key]));
          if (batches === 'one batch') await scene.handle(...all);
          else for (const one of all) await scene.handle(one);
          assert.equal(await eventsOf(scene.database), [[String(all.length)]]);
          assert.equal([await lettersIn(scene.database), await pinned(scene, store.id)], [[], hexOf(second)]);
        }));

test('a new key is reported once, and a receiver that missed two rotations follows them at once', () =>
  withReceiver('strict', async (scene) => {
    const { store, at, first, third } = rotatingStore();
    await trust(scene, store.id, first);
    await scene.handle(at(9, first), at(21, third), at(22, third));
    assert.equal(
      scene.reported.map((message) => (message as StoreTrusted).how),
      ['rotated'],
    );
    assert.equal([await pinned(scene, store.id), await lettersIn(scene.database)], [hexOf(third), []]);
  }));

test('an old key does not count beyond its last position', () =>
  withReceiver('strict', async (scene) => {
    const { store, at, first, second, third } = rotatingStore();
    await trust(scene, store.id, first);
    await scene.handle(at(21, third));
    await scene.handle(at(11, first), at(21, second), store.signed(store.event(newUuid()), undefined, first));
    assert.equal(await lettersIn(scene.database), ['forged-message', 'forged-message', 'forged-message']);
    await scene.handle(at(10, first), at(20, second));
    assert.equal(await eventsOf(scene.database), [['3']]);
  }));

test('forged rotations are refused: a wrong key, a replayed old one, a fork, one of another store', () =>
  withReceiver('strict', async (scene) => {
    const { store, at, first, second, next } = rotatingStore();
    const other = rotatingStore();
    await trust(scene, store.id, first);
    await scene.handle(at(9, first), at(11, second));
    const forger: StoreKey = { storeId: store.id, ...keyFromSeed(newSeed()) };
    const byWrongKey = next(forger, 30);
    // Someone who has the old key rotates again from it, and puts the genuine rotation in front.
    const fork = next(first, 40);
    const genuine = signRotation(store.id, first, second, 10);
    const behind = next(forger, 50, [genuine]);
    const toStolen = { ...forger, rotations: second.rotations ?? '' };
    for (const key of [forger, byWrongKey, fork, behind, toStolen, other.second])
      await scene.handle(at(60, { ...key, storeId: store.id }));
    assert.equal(await lettersIn(scene.database), Array(6).fill('forged-message'));
    assert.is(await pinned(scene, store.id), hexOf(second));
    await scene.handle(at(12, second));
    assert.equal(await eventsOf(scene.database), [['3']]);
  }));

test('the rotations beside a genuine message cannot be replaced to make another key an earlier one', () =>
  withReceiver('pin', async (scene) => {
    const { store, at, second, next } = rotatingStore();
    const forger: StoreKey = { storeId: store.id, ...keyFromSeed(newSeed()) };
    next(forger, 1_000_000);
    const half = signRotation(store.id, forger, { ...forger, publicKey: second.publicKey }, 1_000_000);
    await scene.handle(at(11, { ...second, rotations: rotationsText([half]) }));
    await scene.handle(at(12, forger));
    assert.equal(
      [await lettersIn(scene.database), await eventsOf(scene.database)],
      [['forged-message'], [['1']]],
    );
  }));

test('a key that an operator gives counts alone: the ones it replaced do not count any more', () =>
  withReceiver('strict', async (scene) => {
    const { store, at, first, second } = rotatingStore();
    await trust(scene, store.id, first);
    await scene.handle(at(11, second), at(9, first));
    await trust(scene, store.id, second);
    await scene.handle(at(12, second), at(8, first));
    assert.equal(
      [await eventsOf(scene.database), await lettersIn(scene.database)],
      [[['3']], ['forged-message']],
    );
  }));

test('messages by a key that cannot be followed, since an operator has given another one meanwhile, are read again', async () => {
  const { store, at, first, second } = rotatingStore();
  const other = rotatingStore().first;
  let meanwhile = (): Promise<unknown> => Promise.resolve();
  const through = (inbox: Inbox): Inbox => ({
    ...inbox,
    knownStores: async (stores) => {
      const known = await inbox.knownStores(stores);
      await meanwhile();
      return known;
    },
  });
  await withReceiver(
    'strict',
    async (scene) => {
      await trust(scene, store.id, first);
      meanwhile = () => trust(scene, store.id, other);
      assert.not.equal(await scene.deliver(at(11, second)), ['done']);
      assert.equal(await eventsOf(scene.database), [['0']]);
      await scene.handle(at(11, second));
      assert.equal(
        [await eventsOf(scene.database), await lettersIn(scene.database)],
        [[['0']], ['forged-message']],
      );
    },
    through,
  );
});

test('heads verify across a rotation, and one of the old key is passed over', () =>
  withReceiver('pin', async (scene) => {
    const { store, first, second, head } = rotatingStore();
    await scene.handle(inbound(store.event(newUuid())));
    await scene.handle(head(3, first, 9));
    await scene.handle(head(5, second, 12), head(4, first, 10));
    await scene.handle(head(6, first, 11));
    assert.equal([scene.counts.filtered, scene.counts.refused], [1, 1]);
    assert.equal(
      await scene.database.rows({ text: 'SELECT position FROM svc_signed_heads ORDER BY position' }),
      [['3'], ['5']],
    );
    const state = `SELECT head_position, refused_heads, encode(public_key, 'hex') FROM svc_origins WHERE store = $1`;
    assert.equal(await scene.database.rows({ text: state, values: [store.id] }), [['5', '1', hexOf(second)]]);
  }));

test('of a new store that has replaced its key, heads of both keys in the first batch are no forgery', () =>
  withReceiver('pin', async (scene) => {
    const { at, first, second, head, store } = rotatingStore();
    await scene.handle(at(9, first), head(9, first), at(11, second), head(11, second));
    await scene.handle(at(10, first));
    assert.equal([await eventsOf(scene.database), scene.counts.refused], [[['3']], 0]);
    assert.equal([await pinned(scene, store.id), await lettersIn(scene.database)], [hexOf(second), []]);
  }));
