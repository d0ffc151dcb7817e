import { connect } from '../../../runtime/database/connect.js';
import { startEmbeddedServer } from '../../../runtime/database/embedded-server.js';
import { removeHome } from '../../../runtime/database/embedded/server-home.js';
import { temporaryFolder } from '../../../runtime/kit/temporary-folder.js';

const segments = 40;

export async function withSeparateServer<T>(body: (url: string) => Promise<T>): Promise<T> {
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
