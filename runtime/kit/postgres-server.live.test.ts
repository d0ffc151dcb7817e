import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../database/connect.js';
import { exists } from '../database/embedded/operating-system.js';
import { startTestPostgres } from './postgres-server.js';

const test = suite('test postgres');

test('a test server is fast because it is not durable, and is empty at each start', async () => {
  const server = await withVariable(undefined, startTestPostgres);
  const client = await connect(server.url);
  const { rows } = await client.query<{ folder: string; fsync: string }>(
    "SELECT current_setting('data_directory') AS folder, current_setting('fsync') AS fsync",
  );
  await client.end();
  await server.stop();
  assert.is(rows[0]?.fsync, 'off');
  assert.not(await exists(rows[0]?.folder ?? '/'));
});

test('a server named by TEST_DATABASE_URL is used unchanged', async () => {
  await withVariable('postgres://tester@db.example/tests', async () => {
    const server = await startTestPostgres();
    assert.is(server.url, 'postgres://tester@db.example/tests');
    await server.stop();
  });
});

async function withVariable<T>(value: string | undefined, body: () => Promise<T>): Promise<T> {
  const before = process.env.TEST_DATABASE_URL;
  assign(value);
  try {
    return await body();
  } finally {
    assign(before);
  }
}

function assign(value: string | undefined): void {
  if (value === undefined) delete process.env.TEST_DATABASE_URL;
  else process.env.TEST_DATABASE_URL = value;
}
