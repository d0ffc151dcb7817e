import { randomBytes, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { keyIdIn, openText, sealText, type SubjectKey } from './sealed-text.js';

const test = suite('sealed text');

const newKey = (): SubjectKey => ({ id: randomUUID(), key: randomBytes(32) });
const key = newKey();
const place = { of: randomUUID(), path: '/email' };

const isRefused = (sealed: string, by: SubjectKey, at: typeof place): boolean => {
  try {
    openText(sealed, by, at);
    return false;
  } catch (error) {
    return error instanceof Problem && error.code === 'sealed-value-refused';
  }
};

test('any JSON value is opened as it was sealed, and the text names its key', () =>
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      const sealed = sealText(json, key, place);
      assert.is(keyIdIn(sealed), key.id);
      assert.is(JSON.stringify(openText(sealed, key, place)), json);
    }),
  ));

test('a text that was moved to another event or field is refused, and so is the key of another subject', () =>
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const sealed = sealText(JSON.stringify(value), key, place);
      assert.ok(isRefused(sealed, key, { ...place, of: randomUUID() }));
      assert.ok(isRefused(sealed, key, { ...place, path: '/phone' }));
      assert.ok(isRefused(sealed, { ...newKey(), id: key.id }, place));
      assert.ok(isRefused(sealed, { ...key, id: randomUUID() }, place));
    }),
  ));

test('a text that was changed or cut anywhere is refused', () =>
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, by) => {
      const sealed = sealText(JSON.stringify(value), key, place);
      const head = sealed.slice(0, sealed.lastIndexOf(':') + 1);
      const bytes = Buffer.from(sealed.slice(head.length), 'base64');
      const changed = Buffer.from(bytes);
      changed[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ by;
      assert.ok(isRefused(head + changed.toString('base64'), key, place));
      assert.ok(isRefused(head + bytes.subarray(0, at % bytes.length).toString('base64'), key, place));
    }),
  ));

test('the same value of the same event gives the same text, another event another one', () => {
  assert.is(sealText('"a"', key, place), sealText('"a"', key, place));
  const elsewhere = { ...place, of: randomUUID() };
  assert.is.not(sealText('"a"', key, place), sealText('"a"', key, elsewhere));
});

test('other values are not sealed, even if they begin alike', () => {
  for (const value of ['svc:sealed:1:', 'svc:sealed:1:nothing', 'ada', null, 1, { a: 'svc:sealed:1:' }])
    assert.is(keyIdIn(value), undefined);
});
