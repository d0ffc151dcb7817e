import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { masterKeyFrom, masterKeyWrapper } from './master-key.js';

const test = suite('master key');

test('a master key is exactly 32 bytes in base64', () => {
  const key = randomBytes(32);
  assert.equal(masterKeyFrom(key.toString('base64')), key);
  for (const bytes of [0, 16, 31, 33, 64])
    assert.is(masterKeyFrom(randomBytes(bytes).toString('base64')), undefined);
  for (const text of ['', 'secret', key.toString('hex'), `${key.toString('base64')}\n`])
    assert.is(masterKeyFrom(text), undefined);
});

test('a wrapped key is unwrapped by the same master key under the same id alone', async () => {
  const wrapper = masterKeyWrapper(randomBytes(32));
  const key = randomBytes(32);
  const wrapped = await wrapper.wrap(key, 'k-1');
  assert.equal(Buffer.from(await wrapper.unwrap(wrapped, 'k-1')), key);
  const others = [
    wrapper.unwrap(wrapped, 'k-2'),
    masterKeyWrapper(randomBytes(32)).unwrap(wrapped, 'k-1'),
    wrapper.unwrap(wrapped.subarray(1), 'k-1'),
    wrapper.unwrap(Buffer.alloc(0), 'k-1'),
  ];
  for (const other of others) {
    const refusal: unknown = await other.catch((error: unknown) => error);
    assert.is((refusal as Problem).code, 'subject-keys-unavailable');
  }
});
