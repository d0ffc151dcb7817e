import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { until } from '../kit/until.js';
import { connect } from './connect.js';
import { preparedCall } from './prepared-call.js';

const test = suite('a prepared call');

const echo = { name: 'echo', text: 'SELECT $1::text, $2::int, encode($3::bytea, $4::text), NULL::text' };

test('arguments arrive whatever their type and length', () =>
  withDatabase(async (url) => {
    const client = await connect(url);
    const call = preparedCall(client, echo);
    const text = fc.string({ unit: 'binary', maxLength: 300 }).filter((value) => !value.includes('\0'));
    const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), bytes, async (a, b, c) => {
        assert.equal(await call([a, b, c, 'hex']), [a, String(b), c.toString('hex'), null]);
      }),
      { numRuns: 200 },
    );
    for (const size of [100_000, 3_000_000, 10]) {
      const [, , hex] = await call(['x', 1, Buffer.alloc(size, 7), 'hex']);
      assert.is(hex?.length, 2 * size);
      assert.ok(hex?.startsWith('0707'));
    }
    await client.end();
  }));

test('it is parsed once, and survives an error', () =>
  withDatabase(async (url) => {
    const client = await connect(url);
    const call = preparedCall(client, echo);
    assert.equal((await call(['a', 1, Buffer.of(1), 'hex']))[0], 'a');
    for (const wrong of ['morse', 'nothing']) {
      const error: unknown = await call(['a', 1, Buffer.of(1), wrong]).catch((reason: unknown) => reason);
      assert.match(String(error), /unrecognized encoding/);
    }
    assert.equal((await call(['b', 1, Buffer.of(1), 'hex']))[0], 'b');
    const { rows } = await client.query<{ n: string }>(
      "SELECT count(*) n FROM pg_prepared_statements WHERE name = 'echo'",
    );
    assert.is(rows[0]?.n, '1');
    await client.end();
  }));

test('a statement that cannot be parsed fails every time, and the connection remains usable', () =>
  withDatabase(async (url) => {
    const client = await connect(url);
    const call = preparedCall(client, { name: 'lost', text: 'SELECT $1 FROM nowhere' });
    for (let times = 0; times < 2; times++) {
      const error: unknown = await call(['a']).catch((reason: unknown) => reason);
      assert.match(String(error), /relation "nowhere" does not exist/);
    }
    assert.equal((await client.query('SELECT 1 AS one')).rows, [{ one: 1 }]);
    await client.end();
  }));

test('the call fails when the connection is lost', () =>
  withDatabase(async (url) => {
    const client = await connect(url);
    client.on('error', () => undefined);
    const call = preparedCall(client, { name: 'sleep', text: 'SELECT pg_sleep($1)' });
    const failure = call(['600']).catch((reason: unknown) => reason);
    const other = await connect(url);
    await until(async () => {
      const { rowCount } = await other.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active' AND pid <> pg_backend_pid()",
      );
      return rowCount === 1;
    });
    assert.instance(await failure, Error);
    await other.end();
  }));
