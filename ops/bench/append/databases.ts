import { connect } from '../../../runtime/database/connect.js';
import { startEmbeddedServer } from '../../../runtime/database/embedded-server.js';
import { removeHome } from '../../../runtime/database/embedded/home.js';
import { temporaryFolder } from '../../../runtime/database/embedded/temporary-folder.js';
import { newUuid } from '../../../contracts/uuid.js';

/** Lends so many new databases, on the server that DATABASE_URL names, else on one of our own that syncs to disk. */
export async function withDatabases<T>(
  count: number,
  body: (urls: readonly string[]) => Promise<T>,
): Promise<T> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return onServer(given, count, body);
  const dataDir = await temporaryFolder();
  try {
    const server = await startEmbeddedServer({ dataDir });
    try {
      return await onServer(server.url, count, body);
    } finally {
      await server.stop();
    }
  } finally {
    await removeHome(dataDir);
  }
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
