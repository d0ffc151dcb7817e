import { newUuid } from '../../../contracts/uuid.js';
import { connect } from '../../../runtime/database/connect.js';

/** Opens new databases on that server. */
export const withDatabases = <T>(count: number, body: (urls: readonly string[]) => Promise<T>): Promise<T> =>
  withServer((server) => onServer(server, count, body));

/** The server of DATABASE_URL, or a separate one that syncs to disk. */
export async function withServer<T>(body: (url: string) => Promise<T>): Promise<T> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return body(given);
  // Loaded late: with an earlier build the server is always given.
  const { withSeparateServer } = await import('./separate-server.js');
  return withSeparateServer(body);
}

async function onServer<T>(
  server: string,
  count: number,
  body: (urls: readonly string[]) => Promise<T>,
): Promise<T> {
  const names = Array.from({ length: count }, () => `bench_${newUuid().replaceAll('-', '')}`);
  const client = await connect(server);
  try {
    for (const name of names) await client.query(`CREATE DATABASE ${name}`);
    return await body(names.map((name) => Object.assign(new URL(server), { pathname: `/${name}` }).href));
  } finally {
    for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
  }
}
