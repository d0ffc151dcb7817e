import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { thrownBy } from '../testing/thrown-by.js';
import { keyFromSeed, newSeed, verifySignature } from './ed25519.js';
import { storeKey } from './store-key.js';

const test = suite('the key of a store');

const bytes = Buffer.from('seven loaves');

test('hosts that start together sign with one key, which the store records', () =>
  withMigratedDatabase(async ({ connect }) => {
    const hosts = await Promise.all(Array.from({ length: 8 }, () => storeKey(connect(), {})));
    const [[id, recorded] = []] = await connect().rows({
      text: `SELECT id, encode(public_key, 'hex') FROM svc_store`,
    });
    for (const { storeId, publicKey, sign } of hosts) {
      assert.equal([storeId, publicKey.toString('hex')], [id, recorded]);
      assert.ok(verifySignature(publicKey, bytes, sign(bytes)));
    }
  }));

test('the private key is read by the runtime through its function, and not as a table', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    await storeKey(database, {});
    const read = database.rows({ text: 'SELECT seed FROM svc_store_private_key' });
    const refused = await read.catch((error: unknown) => String(error));
    assert.match(String(refused), 'permission denied');
    const [row] = await connect({ owner: true }).rows({
      text: `SELECT has_function_privilege('public', 'svc_keep_store_key(bytea, bytea)', 'EXECUTE'),
        (SELECT count(*) FROM svc_store_private_key)`,
    });
    assert.equal(row, ['f', '1']);
  }));

test('with a key from the environment nothing private is stored, and every host needs that key', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const signingKey = keyFromSeed(newSeed());
    assert.equal((await storeKey(database, { signingKey })).publicKey, signingKey.publicKey);
    const text = 'SELECT count(*) FROM svc_store_private_key';
    assert.equal(await connect({ owner: true }).rows({ text }), [['0']]);
    assert.equal((await storeKey(database, { signingKey })).publicKey, signingKey.publicKey);
    const without = await thrownBy(() => storeKey(database, {}));
    assert.match(String(without), 'is not kept in it: set SVC_SIGNING_KEY as for its other hosts');
    const withOther = await thrownBy(() => storeKey(database, { signingKey: keyFromSeed(newSeed()) }));
    assert.match(String(withOther), 'set it to the key that the first host of this store was started with');
  }));

test('a key from the environment that is not the one of the store is refused', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const { publicKey } = await storeKey(database, {});
    const refused = await thrownBy(() => storeKey(database, { signingKey: keyFromSeed(newSeed()) }));
    assert.match(String(refused), 'SVC_SIGNING_KEY is not the key of this store: unset it');
    assert.equal((await storeKey(database, {})).publicKey, publicKey);
  }));
