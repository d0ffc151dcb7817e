import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { fakeClock } from '../kit/fake-clock.js';
import { digestOf, newApiKey } from './api-key.js';
import type { ValidApiKey } from './api-key-store.js';
import { KnownApiKeys } from './known-api-keys.js';

const test = suite('known API keys');

const validKey = (key: string, init: Partial<ValidApiKey> = {}): ValidApiKey => ({
  id: key.slice(4, 12),
  digest: digestOf(key).toString('hex'),
  name: 'till',
  permissions: ['orders:read'],
  ...init,
});

const knowing = async (...keys: ValidApiKey[]): Promise<KnownApiKeys> => {
  const known = new KnownApiKeys(async () => keys);
  await known.refresh();
  return known;
};

test('the bearer of a key has its name, its permissions and its scope', async () => {
  const { key, id } = newApiKey();
  const known = await knowing(validKey(key, { tenantId: 'north', userId: 'ada' }));
  const identity = known.identityOf(key);
  assert.equal(identity?.scope, {
    tenantId: 'north',
    userId: 'ada',
    allowedPrincipals: [],
    extensions: { apiKey: `svc_${id}` },
  });
  assert.equal(identity?.permissions.map(String), ['orders:read']);
  assert.equal([identity?.displayName, identity?.source], ['till', `api-key:svc_${id}`]);
});

test('a key that acts for no user is named by its prefix and its name', async () => {
  const { key, id } = newApiKey();
  const known = await knowing(validKey(key));
  const extensions = { apiKey: `svc_${id}`, userName: 'till' };
  assert.equal(known.identityOf(key)?.scope, { allowedPrincipals: [], extensions });
});

test('a key with the id of another is unknown, as are its beginning and thousands of others', async () => {
  const { key, id } = newApiKey();
  const known = await knowing(validKey(key));
  const secret = newApiKey().key.slice(13);
  for (const other of [`svc_${id}_${secret}`, `svc_${id}`, key.slice(0, -1), `${key}a`, id, '', 'svc_'])
    assert.is(known.identityOf(other), undefined);
  for (let n = 0; n < 5_000; n++) assert.is(known.identityOf(newApiKey().key), undefined);
  assert.ok(known.identityOf(key));
});

test('nobody is known by a digest of zeros', async () => {
  const { key } = newApiKey();
  const known = await knowing(validKey(key, { digest: '0'.repeat(64) }));
  assert.is(known.identityOf(key), undefined);
  assert.is(known.identityOf(newApiKey().key), undefined);
});

test('a key that is no longer read is unknown, and the others keep their identity', async () => {
  const [kept, revoked] = [newApiKey().key, newApiKey().key];
  let keys = [validKey(kept), validKey(revoked)];
  const known = new KnownApiKeys(async () => keys);
  await known.refresh();
  const identity = known.identityOf(kept);
  await known.refresh();
  assert.is(known.identityOf(kept), identity, 'nothing has changed');
  assert.ok(Object.isFrozen(identity));
  assert.ok(known.identityOf(revoked));
  keys = [validKey(kept)];
  await known.refresh();
  assert.is(known.identityOf(revoked), undefined);
  assert.ok(known.identityOf(kept));
});

test('without the database the last copy serves for fifteen minutes', async () => {
  const clock = fakeClock();
  const { key } = newApiKey();
  let isDown = false;
  const read = async () => {
    if (isDown) throw new RangeError('down');
    return [validKey(key)];
  };
  const known = new KnownApiKeys(read, clock.now);
  assert.throws(() => known.identityOf(key), /cannot be checked/);
  await known.refresh();
  isDown = true;
  clock.advance(900_000);
  await known.refresh().catch(() => undefined);
  assert.ok(known.identityOf(key));
  clock.advance(1);
  assert.throws(() => known.identityOf(key), /cannot be checked/);
  isDown = false;
  await known.refresh();
  assert.ok(known.identityOf(key));
});

test('a row that was damaged by hand is ignored, and the others are known', async () => {
  const good = newApiKey().key;
  const bad = Array.from({ length: 3 }, () => newApiKey().key);
  const known = await knowing(
    validKey(bad[0] ?? '', { name: 'n'.repeat(1_000) }),
    validKey(bad[1] ?? '', { digest: 'ab' }),
    validKey(bad[2] ?? '', { permissions: ['everything', 'orders:read'] }),
    validKey(good),
  );
  assert.ok(known.identityOf(good));
  assert.equal(
    bad.map((key) => known.identityOf(key)?.permissions.map(String)),
    [undefined, undefined, ['orders:read']],
  );
});
