import { boolean, constantFrom, oneof, record, sample, string } from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { digestOf } from './chain.js';

const test = suite('chain digest');

/** Any text that PostgreSQL stores: also none, astral characters and combining ones. */
const text = oneof(
  constantFrom('', '𝄞', '👩🏽‍🚀', 'é', '"\\\n', '\uFFFF'),
  string({ unit: 'binary', maxLength: 40 }).map((any) =>
    any.replaceAll('\0', ' ').replaceAll(/\p{Surrogate}/gu, ' '),
  ),
);
const json = text.map((value) => JSON.stringify({ [value]: [value, 1e21, null] }));
const contents = record({ type: text, data: json, metadata: json, host: text, publish: boolean() });

test('the database and the verifier have the same digest of any record', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect({ owner: true });
    const samples = sample(contents, 500);
    const rows = await database.rows({
      text: `SELECT encode(svc_digest(type, data, metadata, host, publish), 'hex')
        FROM json_to_recordset($1::json) AS r(n int, type text, data text, metadata text, host text, publish boolean)
        ORDER BY n`,
      values: [JSON.stringify(samples.map((content, n) => ({ n, ...content })))],
    });
    assert.is(rows.length, samples.length);
    for (const [index, content] of samples.entries())
      assert.is(rows[index]?.[0], digestOf(content).toString('hex'), JSON.stringify(content));
  }));
