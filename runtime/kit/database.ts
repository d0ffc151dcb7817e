import { randomUUID } from 'node:crypto';
import { connect } from '../database/connect.js';
import { discardedServer } from './discarded-server.js';
import { startTestPostgres } from './postgres-server.js';

/** Provides a new, empty database of the test server; it is dropped afterwards, unless the server is. */
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
  onServer(withName(url, 'postgres'), copyOf(url), body);

async function onServer<T>(server: string, source: string, body: (url: string) => Promise<T>): Promise<T> {
  const template = process.env['SVC_TEST_TEMPLATE_URL'];
  // The runner's server has a template, and ends with the run; one that a user gave has none.
  if (template && new URL(template).host === new URL(server).host) {
    return onDiscarded(server, { source, isFixed: source === copyOf(template) }, body);
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `CREATE DATABASE ${name} ${source}`);
  try {
    return await body(withName(server, name));
  } finally {
    await execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function onDiscarded<T>(
  server: string,
  { source, isFixed }: { readonly source: string; readonly isFixed: boolean },
  body: (url: string) => Promise<T>,
): Promise<T> {
  const { create, take } = await discardedServer(server);
  const name = await (isFixed ? take(source) : create(source));
  try {
    return await body(withName(server, name));
  } finally {
    // That session may have ended meanwhile.
    const { disconnect } = await discardedServer(server);
    await disconnect(name);
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

/** With fsync off, copying files is faster than logging them. */
const copyOf = (url: string): string => `TEMPLATE ${nameIn(url)} STRATEGY FILE_COPY`;

const nameIn = (url: string): string => new URL(url).pathname.slice(1);
