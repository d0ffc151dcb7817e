import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { connect } from './connect.js';
import { copyOut } from './copy-out.js';

const test = suite('copy out');

const copied = (query: string): Promise<string[][]> =>
  withDatabase(async (url) => {
    const client = await connect(url);
    const rows: string[][] = [];
    const keep = (fields: readonly (Buffer | null)[]) =>
      void rows.push(fields.map((field) => field?.toString('utf8') ?? 'NULL'));
    try {
      await copyOut(client, `COPY (${query}) TO STDOUT (FORMAT binary)`, keep);
      // The connection remains usable.
      assert.is((await client.query('SELECT 1 AS one')).rowCount, 1);
      return rows;
    } finally {
      await client.end();
    }
  });

test('every row is passed on field by field, and null stays null', async () => {
  assert.equal(await copied(`SELECT * FROM (VALUES ('a', NULL), ('', 'ü')) t`), [
    ['a', 'NULL'],
    ['', 'ü'],
  ]);
});

test('an empty result has no rows', async () => {
  assert.equal(await copied('SELECT 1 WHERE false'), []);
});

test('rows larger than any buffer arrive whole', async () => {
  const rows = await copied(`SELECT repeat(n::text, 3000000) FROM generate_series(1, 3) n`);
  assert.equal(
    rows.map(([text]) => [text?.length, text?.[0], text?.at(-1)]),
    [1, 2, 3].map((n) => [3_000_000, String(n), String(n)]),
  );
});

test('a failing statement is reported, and so is a failing reader', () =>
  withDatabase(async (url) => {
    const client = await connect(url);
    const failure = (text: string, read: () => void) =>
      copyOut(client, text, read).catch((error: unknown) => error);
    const wrong = await failure('COPY nothing TO STDOUT (FORMAT binary)', () => undefined);
    assert.is((wrong as { code: string }).code, '42P01');
    const late = await failure(
      'COPY (SELECT 1 / (3 - n) FROM generate_series(1, 5) n) TO STDOUT (FORMAT binary)',
      () => undefined,
    );
    assert.is((late as { code: string }).code, '22012');
    const stopped = new TypeError('enough');
    let reads = 0;
    const read = await failure('COPY (SELECT generate_series(1, 9)) TO STDOUT (FORMAT binary)', () => {
      reads++;
      throw stopped;
    });
    assert.is(read, stopped);
    assert.is(reads, 1);
    assert.is((await client.query('SELECT 1 AS one')).rowCount, 1);
    await client.end();
  }));
