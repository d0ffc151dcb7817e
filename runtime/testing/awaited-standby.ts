import { execute } from '../kit/database.js';

/** Commits of the server wait for this standby; none: they do not wait. */
export async function awaitStandby(url: string, name: string): Promise<void> {
  await execute(url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await execute(url, 'SELECT pg_reload_conf()');
}
