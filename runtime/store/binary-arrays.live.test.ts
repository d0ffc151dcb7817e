import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Database, openDatabase } from '../database/database.js';
import { withDatabase } from '../kit/database.js';
import {
  bigints,
  booleans,
  bytes,
  ints,
  jsons,
  smallints,
  texts,
  timestamps,
  uuids,
} from './binary-arrays.js';

const test = suite('binary arrays in PostgreSQL');

test('every array arrives as it was sent', () =>
  onServer(async (database) => {
    const arrives = <T>(
      type: string,
      values: fc.Arbitrary<T>,
      encode: (list: T[]) => Buffer,
      text: (value: T) => string | null,
    ) =>
      fc.assert(
        fc.asyncProperty(fc.array(values, { maxLength: 20 }), async (list) => {
          const rows = await database.rows({
            text: `SELECT v::text FROM unnest($1::${type}[]) WITH ORDINALITY t(v, n) ORDER BY n`,
            values: [encode(list)],
          });
          assert.equal(
            rows.map(([value]) => value),
            list.map(text),
          );
        }),
        { numRuns: 30 },
      );
    const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 });
    await arrives('int', fc.integer(), ints, String);
    await arrives(
      'smallint',
      orNull(fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })),
      smallints,
      nullOr(String),
    );
    await arrives('bigint', fc.maxSafeInteger(), bigints, String);
    await arrives('boolean', fc.boolean(), booleans, String);
    await arrives('uuid', fc.uuid(), uuids, String);
    await arrives('text', orNull(storableText), texts, nullOr(String));
    await arrives('json', fc.json(), jsons, String);
    await arrives(
      'bytea',
      orNull(fc.uint8Array()),
      bytes,
      nullOr((value) => `\\x${Buffer.from(value).toString('hex')}`),
    );
    await arrives('timestamptz', orNull(moment), timestamps, nullOr(textOf));
  }));

const onServer = (body: (database: Database) => Promise<void>): Promise<void> =>
  withDatabase(async (url) => {
    const database = openDatabase({ url });
    try {
      await body(database);
    } finally {
      await database.close();
    }
  });

const storableText = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));

const moment = fc
  .date({ min: new Date('1000-01-01T00:00:00Z'), max: new Date('9999-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.getTime());

const nullOr =
  <T>(text: (value: T) => string) =>
  (value: T | null): string | null =>
    value === null ? null : text(value);

/** As PostgreSQL writes it: without trailing zeros in the fraction. */
const textOf = (time: number): string =>
  new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.\d*?)0*Z$/, '$1')
    .replace(/\.$/, '')
    .concat('+00');
