import { startEmbeddedServer } from '../database/embedded-server.js';
import { removeHome } from '../database/embedded/server-home.js';
import { temporaryFolder } from './temporary-folder.js';

export interface TestPostgres {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

type TemporaryOptions = Pick<Parameters<typeof startEmbeddedServer>[0], 'programs' | 'settings'>;

/** The server of TEST_DATABASE_URL, or a temporary one that keeps nothing. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.TEST_DATABASE_URL;
  return given ? { url: given, stop: () => Promise.resolve() } : startTemporary();
}

/** One of our own, on what was put into its data folder. */
export async function startTemporary(
  prepare: (dataDir: string) => Promise<unknown> = () => Promise.resolve(),
  more: TemporaryOptions = {},
): Promise<TestPostgres> {
  const dataDir = await temporaryFolder();
  try {
    await prepare(dataDir);
    const settings = { ...fastUnsafeSettings, ...more.settings };
    const server = await startEmbeddedServer({ dataDir, ...more, settings });
    return { url: server.url, stop: () => server.stop().then(() => removeHome(dataDir)) };
  } catch (error) {
    await removeHome(dataDir);
    throw error;
  }
}

export const fastUnsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
