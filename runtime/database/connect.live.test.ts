import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { connect } from './connect.js';

const test = suite('connect');

test('a connection answers queries', () =>
  withDatabase(async (url) => {
    const client = await connect(url);
    const { rows } = await client.query('SELECT 41 + 1 AS answer');
    await client.end();
    assert.equal(rows, [{ answer: 42 }]);
  }));

test('a connection lost while idle fails its next query, not the process', () =>
  withDatabase(async (url) => {
    const [idle, other] = [await connect(url), await connect(url)];
    const { rows } = await idle.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const lost = new Promise((resolve) => idle.once('end', resolve));
    await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await lost;
    assert.instance(await idle.query('SELECT 1').catch((error: unknown) => error), Error);
    await other.end();
  }));

test('a server that cannot be reached is reported as a problem', async () => {
  const problem = await connect('postgres://svc@127.0.0.1:1/svc').catch((error: unknown) => error);
  assert.instance(problem, Problem);
  assert.is((problem as Problem).code, 'store-unavailable');
});
