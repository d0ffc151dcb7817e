import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { decodePart, encodePart, isPartOf } from './archive-part.js';
import { eventFields, recordFields } from './segment-rows.js';

const test = suite('parts of archives');

const place = { store: newUuid(), low: 0, number: 1 };
const key = { id: newUuid(), key: randomBytes(32) };
const bytes = fc.option(fc.uint8Array({ maxLength: 40 }).map((some) => Buffer.from(some)));
const rowsOf = (fields: number) =>
  fc.array(fc.array(bytes, { minLength: fields, maxLength: fields }), { maxLength: 8 });
const part = fc
  .record({ events: rowsOf(eventFields), records: rowsOf(recordFields) })
  .map(({ events, records }) => ({ events, records }));

test('a part is read as it was written, encrypted or not', () => {
  fc.assert(
    fc.property(part, fc.boolean(), (written, isEncrypted) => {
      const by = isEncrypted ? key : undefined;
      assert.equal(decodePart(encodePart(written, place, by), place, by), written);
    }),
  );
});

test('an encrypted part opens with its key and at its place alone, and only if no bit of it was changed', () => {
  const written = encodePart({ events: [], records: [] }, place, key);
  const refused = (...[changed, at, by]: Parameters<typeof decodePart>) =>
    assert.throws(() => decodePart(changed, at, by), /is not what was written/);
  refused(written, { ...place, number: 2 }, key);
  refused(written, { ...place, low: 10 }, key);
  refused(written, { ...place, store: newUuid() }, key);
  refused(written, place, { ...key, key: randomBytes(32) });
  refused(written, place, undefined);
  for (let at = 0; at < written.length; at++) {
    const changed = Buffer.from(written);
    changed[at] = (changed[at] ?? 0) ^ 1;
    refused(changed, place, key);
  }
});

test('a file holds these rows and nothing else, and no more than their size is unpacked of it', () => {
  const rows = { events: [], records: [] };
  assert.is(isPartOf(rows, encodePart(rows, place, undefined), place, undefined), true);
  const bomb = gzipSync(Buffer.alloc(2 ** 26));
  const before = process.memoryUsage().arrayBuffers;
  assert.is(isPartOf(rows, bomb, place, undefined), false);
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 22);
  fc.assert(
    fc.property(part, part, fc.boolean(), (held, written, isEncrypted) => {
      const by = isEncrypted ? key : undefined;
      const isSame = JSON.stringify(held) === JSON.stringify(written);
      assert.is(isPartOf(held, encodePart(written, place, by), place, by), isSame);
    }),
  );
});

test('bytes that are no part are refused without an exception of another kind', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (some, isEncrypted) => {
      const read = () => decodePart(Buffer.from(some), place, isEncrypted ? key : undefined);
      assert.throws(read, /is not what was written|does not contain rows/);
    }),
  );
});
