import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { keyFromSeed, newSeed } from './ed25519.js';
import { messageBytes, messageSigner, proofOf } from './signed-message.js';

const test = suite('signed messages');

/** Few letters, so that parts of neighbors often look alike. */
const text = fc.string({ unit: fc.constantFrom('a', '.', '0'), maxLength: 3 });
const message = fc.record({
  store: text,
  subject: text,
  contentType: fc.option(
    text.filter((type) => type !== ''),
    { nil: undefined },
  ),
  body: fc.uint8Array({ maxLength: 4 }),
  epoch: fc.record({ epoch: fc.nat({ max: 2 }), forks: text }),
});

test('two different messages never have the same bytes', () => {
  const read = ({ epoch, ...one }: { epoch: object }) =>
    JSON.stringify([...Object.values(one).map(String), epoch]);
  fc.assert(
    fc.property(message, message, (one, other) => {
      assert.is(messageBytes(one).equals(messageBytes(other)), read(one) === read(other));
    }),
    { numRuns: 3_000 },
  );
});

const key = { storeId: newUuid(), ...keyFromSeed(newSeed()) };
const epoch = { epoch: 2, forks: '2:7' };
const sent = {
  subject: 'svc.events.Baked',
  contentType: undefined,
  body: Buffer.from('seven loaves'),
  epoch,
};
const headers = messageSigner(key)(sent);
const proved = (change: object, more: object = {}) => {
  const all = { ...headers, ...more } as Readonly<Record<string, string | undefined>>;
  return proofOf({ store: key.storeId, ...sent, ...change }, (name) => all[name]);
};

test('a signature holds for its store, subject, format, body and epoch, none of which can be taken away', () => {
  assert.equal(proved({}), { publicKey: key.publicKey.toString('hex') });
  for (const change of [
    { store: newUuid() },
    { subject: 'svc.events.Burnt' },
    { contentType: 'application/json' },
    { body: Buffer.from('eight loaves') },
    { epoch: { ...epoch, epoch: 3 } },
    { epoch: { ...epoch, forks: '2:1' } },
    { epoch: undefined },
  ])
    assert.is(proved(change), 'invalid');
});

test('a message without both headers is not signed, and with one of them the signature does not hold', () => {
  assert.is(
    proofOf({ store: key.storeId, ...sent }, () => undefined),
    undefined,
  );
  assert.is(proved({}, { 'svc-key': undefined }), 'invalid');
  assert.is(proved({}, { 'svc-signature': undefined }), 'invalid');
});

test('garbage in the headers is no signature, and never throws', () => {
  const garbage = fc.oneof(fc.string(), fc.constant('A'.repeat(100_000)), fc.base64String());
  fc.assert(
    fc.property(garbage, garbage, (signature, publicKey) => {
      assert.is(proved({}, { 'svc-signature': signature, 'svc-key': publicKey }), 'invalid');
      assert.is(proved({}, { 'svc-signature': signature }), 'invalid');
    }),
  );
});
