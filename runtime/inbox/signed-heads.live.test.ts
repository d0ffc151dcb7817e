import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { collect } from '../kit/collect.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { keyFromSeed, newSeed } from '../trust/ed25519.js';
import { keptHeads } from '../trust/kept-heads.js';
import { isSigned, signHead } from '../trust/signed-head.js';
import type { StoreKey } from '../trust/store-key.js';
import type { ReceivedHead } from './inbox.js';
import { postgresInbox } from './postgres-inbox.js';
import { readReceivedGaps } from './received-gaps.js';

const test = suite('signed heads of other stores');

const leaseMs = 60_000;
const hashAt = (position: number, log = 0): string => Buffer.alloc(32, position + 100 * log).toString('hex');
const minute = (n: number): string => new Date(Date.UTC(2026, 2, 1, 9, n)).toISOString();

const first = { epoch: 1, forks: '', publishedTo: 9 };

interface Scene {
  readonly key: StoreKey;
  readonly database: Database;
  readonly owner: Database;
  /** What becomes of a head that the store signed at this minute; of another log, its hashes differ. */
  readonly announce: (position: number, at: number, log?: number, by?: StoreKey) => Promise<unknown>;
  readonly take: (head: ReceivedHead, store?: string) => Promise<unknown>;
  readonly kept: () => Promise<number[]>;
}

const withHeads = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const [database, owner] = [connect(), connect({ owner: true })];
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(leaseMs);
    const key = { storeId: newUuid(), ...keyFromSeed(newSeed()) };
    await inbox.admitStore(key.storeId, leaseMs);
    const take = (head: ReceivedHead, store = key.storeId) => inbox.storeHead(store, head, leaseMs);
    await body({
      key,
      database,
      owner,
      take,
      announce: (position, at, log = 0, by = key) => {
        const head = { position, hash: hashAt(position, log) };
        return take({ ...head, proof: signHead({ ...head, at: minute(at), history: first }, by) });
      },
      kept: async () =>
        (await database.rows({ text: 'SELECT position FROM svc_signed_heads ORDER BY position' })).map(
          ([position]) => Number(position),
        ),
    });
  });

const announced = async ({ database, key }: Scene) =>
  (
    await database.rows({
      text: `SELECT head_position, encode(public_key, 'hex'), refused_heads FROM svc_origins WHERE store = $1`,
      values: [key.storeId],
    })
  )[0];

test('the first signed head pins the key of its store, and each later one is taken over', () =>
  withHeads(async (scene) => {
    assert.is(await scene.announce(3, 0), 'kept');
    assert.is(await scene.announce(7, 1), 'kept');
    assert.equal(await announced(scene), ['7', scene.key.publicKey.toString('hex'), '0']);
    assert.equal(await scene.kept(), [3, 7]);
  }));

test('a head is kept with the history that was signed with it, and still holds', () =>
  withHeads(async ({ key, database, announce, take }) => {
    await announce(3, 0);
    const head = { position: 7, hash: hashAt(7) };
    const history = { epoch: 2, forks: '2:5', publishedTo: 12 };
    const proof = signHead({ ...head, at: minute(1), history }, key);
    assert.is(await take({ ...head, proof }), 'kept');
    const kept = (await collect(keptHeads(database))).flat();
    assert.equal([kept.map(isSigned), kept[1]], [[true, true], proof]);
  }));

test('a replayed old head is not taken over, and good ones are not held up', () =>
  withHeads(async (scene) => {
    await scene.announce(3, 0);
    await scene.announce(7, 5);
    assert.is(await scene.announce(3, 0), 'older');
    assert.is(await scene.announce(7, 5), 'kept');
    assert.is(await scene.announce(8, 6), 'kept');
    assert.equal((await announced(scene))?.[0], '8');
    assert.equal(await readReceivedGaps(scene.database), []);
  }));

test('a head of another key is forged: not taken over, counted and reported, and good ones are not held up', () =>
  withHeads(async (scene) => {
    const forger = { ...scene.key, ...keyFromSeed(newSeed()) };
    await scene.announce(3, 0);
    assert.is(await scene.announce(9, 1, 0, forger), 'forged');
    assert.is(await scene.take({ position: 9, hash: hashAt(9), proof: 'invalid' }), 'forged');
    assert.equal(await announced(scene), ['3', scene.key.publicKey.toString('hex'), '2']);
    const [gap] = await readReceivedGaps(scene.database);
    assert.equal([gap?.store, gap?.heads], [scene.key.storeId, 'forged']);
    assert.is(await scene.announce(4, 2), 'kept');
    assert.equal(await scene.kept(), [3, 4]);
  }));

test('a head without a signature is not taken over, not even the first one of its store', () =>
  withHeads(async (scene) => {
    assert.is(await scene.take({ position: 900, hash: hashAt(9), proof: 'invalid' }), 'forged');
    assert.equal(await announced(scene), [null, null, '1']);
    assert.is(await scene.announce(3, 0), 'kept');
    assert.is(await scene.take({ position: 901, hash: hashAt(9), proof: 'invalid' }), 'forged');
    assert.equal((await announced(scene))?.[0], '3');
  }));

test('another hash at a position that the store has signed contradicts it', () =>
  withHeads(async (scene) => {
    await scene.announce(3, 0);
    await scene.announce(7, 1);
    assert.is(await scene.announce(7, 2, 1), 'contradicts');
    assert.is(await scene.announce(3, 2, 1), 'contradicts');
    const [gap] = await readReceivedGaps(scene.database);
    assert.equal([gap?.store, gap?.heads], [scene.key.storeId, 'contradicts']);
    assert.equal((await announced(scene))?.[0], '7');
  }));

test('a lower position at a later time contradicts: the log was cut off', () =>
  withHeads(async (scene) => {
    await scene.announce(9, 0);
    assert.is(await scene.announce(6, 10), 'contradicts');
    assert.equal(await announced(scene), ['9', scene.key.publicKey.toString('hex'), '1']);
  }));

test('a store of which nothing was taken is not known by its head alone', () =>
  withHeads(async ({ database, take, kept }) => {
    const stranger = { storeId: newUuid(), ...keyFromSeed(newSeed()) };
    const head = { position: 1, hash: hashAt(1) };
    const proof = signHead({ ...head, at: minute(0), history: first }, stranger);
    assert.is(await take({ ...head, proof }, stranger.storeId), 'unknown');
    assert.equal(await kept(), []);
    const text = 'SELECT count(*) FROM svc_origins WHERE store = $1';
    assert.equal(await database.rows({ text, values: [stranger.storeId] }), [['0']]);
  }));

for (const how of ['forget', 'trust'] as const)
  test(`heads of a wrong key do not stand in the way once an operator has corrected it: ${how}`, () =>
    withHeads(async (scene) => {
      const { key, database, announce, kept } = scene;
      const forger = { ...key, ...keyFromSeed(newSeed()) };
      assert.is(await announce(4, 0, 1, forger), 'kept');
      assert.is(await announce(150, 0, 1, forger), 'kept');
      const values = [key.storeId, 'ann'];
      if (how === 'forget') await database.rows({ text: 'SELECT svc_forget_store($1, $2)', values });
      const text = 'SELECT svc_trust_store($1, $2, $3)';
      await database.rows({ text, values: [key.storeId, key.publicKey, 'ann'] });
      assert.is(await announce(4, 5), 'kept');
      assert.is(await announce(7, 6), 'kept');
      assert.equal((await announced(scene))?.[0], '7');
      assert.ok((await kept()).includes(7));
    }));

test('a store that is trusted again without a key is known by the same key as before, with the same head', () =>
  withHeads(async ({ key, database, announce, kept }) => {
    await announce(7, 0);
    await database.rows({ text: 'SELECT svc_forget_store($1, $2)', values: [key.storeId, 'ann'] });
    await database.rows({ text: 'SELECT svc_trust_store($1, NULL, $2)', values: [key.storeId, 'ann'] });
    assert.equal([await announce(7, 0), await announce(8, 1), await kept()], ['kept', 'kept', [7, 8]]);
  }));

test('of an hour the first and the last head are kept, and of a day long ago the last', () =>
  withHeads(async ({ owner, announce, kept }) => {
    const hourMs = 3_600_000;
    const restMs = hourMs - (Date.now() % hourMs);
    // The hour must not end in the middle of the test.
    if (restMs < 15_000) await sleep(restMs);
    for (const position of [1, 2, 3, 4]) await announce(position, position);
    assert.equal(await kept(), [1, 4]);
    const move = (positions: string, to: string) =>
      owner.rows({
        text: `SET LOCAL session_replication_role = replica; UPDATE svc_signed_heads SET received_at = ${to} WHERE position IN (${positions})`,
      });
    const longAgo = `date_trunc('day', now()) - interval '40 days'`;
    await move('1', longAgo);
    await move('4', `${longAgo} + interval '2 hours'`);
    await announce(5, 5);
    await announce(6, 6);
    assert.equal(await kept(), [4, 5, 6]);
  }));

test('kept heads cannot be changed or removed by the runtime, nor changed by the owner', () =>
  withHeads(async ({ database, owner, announce }) => {
    await announce(3, 0);
    const refusalOf = (of: Database, text: string) => of.rows({ text }).then(() => 'done', String);
    assert.match(await refusalOf(database, 'DELETE FROM svc_signed_heads'), 'permission denied');
    assert.match(await refusalOf(database, 'UPDATE svc_signed_heads SET position = 1'), 'permission denied');
    assert.match(await refusalOf(owner, 'UPDATE svc_signed_heads SET position = 1'), 'append-only');
    assert.match(await refusalOf(owner, 'TRUNCATE svc_signed_heads'), 'append-only');
  }));
