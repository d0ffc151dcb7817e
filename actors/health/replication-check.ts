import type { Durability } from '../../contracts/durability.js';
import type { HealthCheck } from '../../contracts/health.js';
import type { ReplicationState } from '../../runtime/database/replication-state.js';
import { degradedBy } from './healthy-or-degraded.js';

/** Whether the server can keep what is declared about it. */
export const replicationCheck = (
  durability: Exclude<Durability, 'local'>,
  read: () => Promise<ReplicationState>,
): HealthCheck => ({
  name: 'svc_replication',
  tags: [],
  periodMs: 2_500,
  check: async () => {
    // That the database does not answer is for its own check to report.
    const state = await read().catch(() => undefined);
    if (state === undefined) return degradedBy(['The state of replication is unknown.']);
    const { hasSynchronousStandby, standbys } = state;
    if (durability === 'async')
      return degradedBy(standbys > 0 ? [] : ['No standby is connected: there is one copy only.']);
    if (!hasSynchronousStandby)
      return degradedBy([
        'One copy only: synchronous_standby_names is empty. Commands are answered with 503 until it is set.',
      ]);
    return degradedBy(
      standbys > 0 ? [] : ['No standby is connected: commits wait for one, and commands end with 503.'],
    );
  },
});
