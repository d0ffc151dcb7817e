import { connect } from '../../../runtime/database/connect.js';

/** Ends all connections of these hosts. */
export async function terminateBackends(url: string, names: readonly string[]): Promise<void> {
  const client = await connect(url);
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ANY($1)',
    [names],
  );
  await client.end();
}
