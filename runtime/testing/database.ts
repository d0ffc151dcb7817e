import { randomUUID } from 'node:crypto';
import { connect } from '../database/connect.js';
import { startTestPostgres } from './postgres-server.js';

/** Provides a new, empty database of the test server; it is dropped afterwards in any case. */
export async function withDatabase<T>(body: (url: string) => Promise<T>): Promise<T> {
  const shared = process.env.SVC_TEST_DATABASE_URL;
  if (shared) return onServer(shared, '', body);
  const server = await startTestPostgres();
  try {
    return await onServer(server.url, '', body);
  } finally {
    await server.stop();
  }
}

/** Provides a new copy of a database without connections, in the same way. */
export const withCopyOf = <T>(url: string, body: (url: string) => Promise<T>): Promise<T> =>
  // With fsync off, copying files is faster than logging them.
  onServer(withName(url, 'postgres'), `TEMPLATE ${nameIn(url)} STRATEGY FILE_COPY`, body);

async function onServer<T>(server: string, source: string, body: (url: string) => Promise<T>): Promise<T> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `CREATE DATABASE ${name} ${source}`);
  try {
    return await body(withName(server, name));
  } finally {
    await execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

export async function execute(url: string, sql: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export function withName(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1);
