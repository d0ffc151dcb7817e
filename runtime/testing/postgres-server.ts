import { startEmbeddedServer } from '../database/embedded-server.js';
import { removeHome } from '../database/embedded/server-home.js';
import { temporaryFolder } from './temporary-folder.js';

export interface TestPostgres {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The server that TEST_DATABASE_URL names, else one of our own that forgets everything when it stops. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  const dataDir = await temporaryFolder();
  try {
    const server = await startEmbeddedServer({ dataDir, settings: fastUnsafeSettings });
    return { url: server.url, stop: () => server.stop().then(() => removeHome(dataDir)) };
  } catch (error) {
    await removeHome(dataDir);
    throw error;
  }
}

const fastUnsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
