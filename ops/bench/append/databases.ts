import { connect } from '../../../runtime/database/connect.js';
import { startEmbeddedServer } from '../../../runtime/database/embedded-server.js';
import { removeHome } from '../../../runtime/database/embedded/server-home.js';
import { temporaryFolder } from '../../../runtime/testing/temporary-folder.js';
import { newUuid } from '../../../contracts/uuid.js';

const segments = 40;

/** Opens new databases on that server. */
export const withDatabases = <T>(count: number, body: (urls: readonly string[]) => Promise<T>): Promise<T> =>
  withServer((server) => onServer(server, count, body));

/** The server of DATABASE_URL, or a separate one that syncs to disk. */
export async function withServer<T>(body: (url: string) => Promise<T>): Promise<T> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return body(given);
  const dataDir = await temporaryFolder();
  try {
    const server = await startEmbeddedServer({ dataDir, settings: { min_wal_size: '1GB' } });
    try {
      await makeSegments(server.url);
      return await body(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    await removeHome(dataDir);
  }
}

/**
 * A server that has run for a while reuses its WAL segments; on a new server commits wait until each segment is
 * created.
 */
async function makeSegments(server: string): Promise<void> {
  const client = await connect(server);
  for (let made = 0; made < segments; made++) {
    await client.query("SELECT pg_logical_emit_message(false, 'bench', repeat('x', 8 << 20))");
    await client.query('SELECT pg_switch_wal()');
  }
  await client.query('CHECKPOINT');
  await client.end();
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
