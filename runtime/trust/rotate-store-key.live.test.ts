import * as assert from 'uvu/assert';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import type { Database } from '../database/database.js';
import { until } from '../kit/until.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { thrownBy } from '../testing/thrown-by.js';
import { keyFromSeed, newSeed, verifySignature } from './ed25519.js';
import { earlierKeysOf, rotationsTo } from './key-rotation.js';
import { keptRotations } from './kept-rotations.js';
import { rotateStoreKey } from './rotate-store-key.js';
import { followStoreKey, type KeySettings, storeKey } from './store-key.js';

const test = suite('rotation of the key of a store');

const policy = new AuditPolicy(new SystemEventOptions());
const editor = {
  changedBy: 'ann',
  host: 'cli',
  recordOf: (message: Parameters<typeof systemRecord>[0]) => systemRecord(message, {}, policy),
};
const rotate = (owner: Database, settings: KeySettings = {}) =>
  rotateStoreKey(owner, editor, settings, 'yearly');
const newKey = () => keyFromSeed(newSeed());
const hexOf = ({ publicKey }: { readonly publicKey: Buffer }) => publicKey.toString('hex');
const bytes = Buffer.from('seven loaves');

const withStores = (body: (database: Database, owner: Database) => Promise<void>): Promise<void> =>
  withMigratedDatabase(({ connect }) => body(connect(), connect({ owner: true })));

test('running hosts sign with the new key as soon as they look, and prove how it followed the old one', () =>
  withStores(async (database, owner) => {
    const key = await followStoreKey(database, {});
    const before = hexOf(key);
    const done = await rotate(owner);
    assert.equal([done.previousKey, done.rotated, hexOf(key)], [before, true, before]);
    await key.refresh();
    assert.is(hexOf(key), done.publicKey);
    assert.ok(verifySignature(key.publicKey, bytes, key.sign(bytes)));
    const proof = { store: key.storeId, from: before };
    assert.equal(rotationsTo(done.publicKey, key.rotations, proof).length, 1);
  }));

test('StoreKeyRotated holds what both keys have signed, and the old private key is gone', () =>
  withStores(async (database, owner) => {
    const { storeId } = await storeKey(database, {});
    await rotate(owner);
    const done = await rotate(owner);
    const text = `SELECT data ->> 'previousKey', data ->> 'publicKey', data ->> 'upTo', data ->> 'proof', data ->> 'actor',
      data ->> 'reason', global_position FROM svc_system_events WHERE event_type = 'StoreKeyRotated' ORDER BY stream_position`;
    const [, last = []] = await database.rows({ text });
    assert.equal(last.slice(0, 3), [done.previousKey, done.publicKey, String(done.upTo)]);
    assert.equal(last.slice(4), ['ann', 'yearly', String(done.upTo + 1)]);
    const kept = await keptRotations(database, storeId);
    assert.equal([kept[1]?.proof, earlierKeysOf(storeId, done.publicKey, kept).size], [last[3], 2]);
    assert.equal(await owner.rows({ text: 'SELECT count(*) FROM svc_store_private_key' }), [['1']]);
  }));

test('a rotation without a reason records none', () =>
  withStores(async (database, owner) => {
    await storeKey(database, {});
    await rotateStoreKey(owner, editor, {}, ' ');
    const text = `SELECT data ->> 'actor', data ->> 'reason' FROM svc_system_events WHERE event_type = 'StoreKeyRotated'`;
    assert.equal(await database.rows({ text }), [['ann', null]]);
  }));

test('with keys from the environment, hosts that have both sign with the one that the store has', () =>
  withStores(async (database, owner) => {
    const [signingKeyOld, signingKey] = [newKey(), newKey()];
    await storeKey(database, { signingKey: signingKeyOld });
    const both = { signingKey, signingKeyOld };
    const [host, late] = [
      await followStoreKey(database, both),
      await followStoreKey(database, { signingKey: signingKeyOld }),
    ];
    assert.is(hexOf(host), hexOf(signingKeyOld));
    assert.is((await rotate(owner, both)).publicKey, hexOf(signingKey));
    await host.refresh();
    assert.is(hexOf(host), hexOf(signingKey));
    assert.match((await thrownBy(late.refresh)).message, 'SVC_SIGNING_KEY is not the key of this store');
    assert.is(hexOf(await storeKey(database, { signingKey })), hexOf(signingKey));
    assert.equal(await owner.rows({ text: 'SELECT count(*) FROM svc_store_private_key' }), [['0']]);
    assert.is((await rotate(owner, both)).rotated, false, 'run again, it changes nothing');
    assert.is((await keptRotations(database, host.storeId)).length, 1);
  }));

test('a key can move from the store to the environment, and back', () =>
  withStores(async (database, owner) => {
    await storeKey(database, {});
    const signingKey = newKey();
    await rotate(owner, { signingKey });
    assert.is(hexOf(await storeKey(database, { signingKey })), hexOf(signingKey));
    const { publicKey } = await rotate(owner, { signingKeyOld: signingKey });
    assert.is(hexOf(await storeKey(database, {})), publicKey);
  }));

test('a rotation without the present key, to the same one or to one used before is refused on one line', () =>
  withStores(async (database, owner) => {
    const refusal = async (settings: KeySettings) => (await thrownBy(() => rotate(owner, settings))).message;
    assert.match(await refusal({}), /The store has no signing key yet: start a host first\.$/);
    const [first, second] = [newKey(), newKey()];
    await storeKey(database, { signingKey: first });
    assert.match(await refusal({}), 'set SVC_SIGNING_KEY_OLD to it, and SVC_SIGNING_KEY to the new one');
    assert.match(await refusal({ signingKey: second }), 'set SVC_SIGNING_KEY_OLD to it');
    assert.match(await refusal({ signingKey: first }), 'SVC_SIGNING_KEY is the key that this store has');
    const wrong = { signingKey: second, signingKeyOld: newKey() };
    assert.match(await refusal(wrong), 'SVC_SIGNING_KEY_OLD is not the key of this store');
    await rotate(owner, { signingKey: second, signingKeyOld: first });
    const back = { signingKey: first, signingKeyOld: second };
    assert.match(await refusal(back), 'was the key of this store before');
    assert.equal(await database.rows({ text: 'SELECT count(*) FROM svc_key_rotations' }), [['1']]);
  }));

test('of two operators who rotate at once one succeeds, and the other has changed nothing', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owners = [connect({ owner: true }), connect({ owner: true })];
    const database = connect();
    const { storeId } = await storeKey(database, {});
    const blocker = connect({ owner: true });
    const session = await blocker.session();
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text: 'SELECT svc_lock_log()' });
    const both = Promise.allSettled(owners.map((owner) => rotate(owner)));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%svc_lock_log%'
      AND wait_event_type = 'Lock'`;
    await until(async () => (await blocker.rows({ text: waiting })).length === 2);
    await session.rows({ text: 'COMMIT' });
    session.release();
    const answers = (await both).map((one) => (one.status === 'rejected' ? String(one.reason) : 'rotated'));
    assert.is(answers.filter((one) => one === 'rotated').length, 1, answers.join());
    assert.match(answers.join(), 'replaced by another command meanwhile; this one has changed nothing');
    assert.is((await keptRotations(database, storeId)).length, 1);
  }));
