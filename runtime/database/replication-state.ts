import type { Database } from './database.js';

export interface ReplicationState {
  /** Whether commits wait for a standby. */
  readonly hasSynchronousStandby: boolean;
  /** The servers that follow this one. */
  readonly standbys: number;
}

export async function readReplicationState(database: Pick<Database, 'rows'>): Promise<ReplicationState> {
  // Without the rights of a monitor the rows are there, and all that is hidden is what they say.
  const text = `SELECT current_setting('synchronous_standby_names'), (SELECT count(*) FROM pg_stat_replication)`;
  const [[names, standbys] = []] = await database.rows({ text });
  return { hasSynchronousStandby: names !== '', standbys: Number(standbys) };
}
