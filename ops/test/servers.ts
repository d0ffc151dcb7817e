/** What test files are told of servers that were started for them. */
export interface Servers {
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

// Loaded when they are needed: a unit file alone should start at once.

/** A PostgreSQL, and in it the database that stores are copied from. */
export async function startPostgres(): Promise<Servers> {
  const { startTestPostgres } = await import('../../runtime/testing/postgres-server.js');
  const { url, stop } = await startTestPostgres();
  const env = { SVC_TEST_DATABASE_URL: url };
  // A server that was given keeps nothing of ours.
  if (process.env['TEST_DATABASE_URL']) return { env, stop };
  try {
    const { makeTemplate } = await import('../../runtime/testing/migrated-database.js');
    return { env: { ...env, SVC_TEST_TEMPLATE_URL: await makeTemplate(url) }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A browser; where there is none, the tests that need it say so. */
export async function startBrowser(): Promise<Servers> {
  try {
    const { launchBrowserServer } = await import('../testing/browser.js');
    const browser = await launchBrowserServer();
    return { env: { SVC_TEST_BROWSER: browser.wsEndpoint() }, stop: () => browser.close() };
  } catch {
    return { env: {}, stop: () => Promise.resolve() };
  }
}

/** Modules that processes load faster than those of the build. */
export async function prepareProcesses(repository: string): Promise<Servers> {
  const { bundleProcesses } = await import('./bundled-processes.js');
  const { root, remove } = await bundleProcesses(repository);
  return { env: { SVC_TEST_PROCESSES: root }, stop: remove };
}
