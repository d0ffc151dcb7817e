import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../database/connect.js';
import { execute, withCopyOf, withDatabase } from './database.js';
import { makeTemplate } from '../testing/migrated-database.js';
import { startTestPostgres } from './postgres-server.js';
import { until } from './until.js';

const test = suite('test database');

test('every test gets its own database, which is dropped afterwards', () =>
  withSharedServer(async (server) => {
    const names = await Promise.all([1, 2, 3].map(() => withDatabase(nameOf)));
    assert.is(new Set(names).size, 3);
    assert.equal(await testDatabases(server), []);
  }));

test('a database is dropped even after a failure with a connection still open', () =>
  withSharedServer(async (server) => {
    const failing = withDatabase(async (url) => {
      await connect(url);
      throw new TypeError('broken');
    });
    assert.instance(await failing.catch((error: unknown) => error), TypeError);
    assert.equal(await testDatabases(server), []);
  }));

test('without a shared server one is started for the duration', async () => {
  const shared = process.env.SVC_TEST_DATABASE_URL;
  delete process.env.SVC_TEST_DATABASE_URL;
  assert.match(await withDatabase(nameOf), /^test_/);
  if (shared) process.env.SVC_TEST_DATABASE_URL = shared;
});

test('the template database cannot be changed or dropped', () =>
  withSharedServer(async (server) => {
    const template = await makeTemplate(server);
    assert.match(await outcomeOf(execute(template, 'SELECT')), 'not currently accepting connections');
    assert.match(await outcomeOf(execute(server, 'DROP DATABASE svc_template')), 'cannot drop a template');
    assert.match(await withCopyOf(template, nameOf), /^test_/);
  }));

test('on a server that is thrown away, databases stay, nobody stays connected, and the next copy is made ahead', () =>
  withSharedServer(async (server) => {
    const template = await makeTemplate(server);
    const before = process.env['SVC_TEST_TEMPLATE_URL'];
    process.env['SVC_TEST_TEMPLATE_URL'] = template;
    try {
      const names = await Promise.all([1, 2].map(() => withCopyOf(template, nameOf)));
      const left = await withDatabase(async (url) => {
        await connect(url);
        return nameOf(url);
      });
      assert.is(new Set([...names, left]).size, 3);
      await until(async () => (await testDatabases(server)).length === 4);
      assert.equal(await rows(server, connectedText), []);
      assert.is((await testDatabases(server)).length, 4);
    } finally {
      if (before === undefined) delete process.env['SVC_TEST_TEMPLATE_URL'];
      else process.env['SVC_TEST_TEMPLATE_URL'] = before;
    }
  }));

const connectedText = "SELECT datname AS name FROM pg_stat_activity WHERE datname LIKE 'test\\_%'";

async function withSharedServer(body: (server: string) => Promise<void>): Promise<void> {
  const before = process.env.SVC_TEST_DATABASE_URL;
  const server = await startTestPostgres();
  process.env.SVC_TEST_DATABASE_URL = server.url;
  try {
    await body(server.url);
  } finally {
    if (before === undefined) delete process.env.SVC_TEST_DATABASE_URL;
    else process.env.SVC_TEST_DATABASE_URL = before;
    await server.stop();
  }
}

async function nameOf(url: string): Promise<string> {
  const [row] = await rows(url, 'SELECT current_database() AS name');
  return row?.name ?? '';
}

const testDatabases = (server: string) =>
  rows(server, "SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_%'");

async function rows(url: string, sql: string): Promise<{ name: string }[]> {
  const client = await connect(url);
  try {
    return (await client.query<{ name: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}

const outcomeOf = (done: Promise<void>): Promise<string> => done.then(() => 'done', inspect);
