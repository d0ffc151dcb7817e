import type { HealthCheck } from '../../contracts/health.js';
import type { DatabaseLiveness } from '../../runtime/database/liveness.js';
import type { Loss } from '../../runtime/store/loss-detector.js';
import { healthy } from './healthy-or-degraded.js';

/** A lost database is noticed within 3 s: the age, the period and one attempt that fails at once. */
const databasePeriodMs = 700;
const pulseMs = 2_200;

/** Queries the database only when no other code has had an answer lately, or when a write failed. */
export const relationalDbCheck = (
  liveness: Pick<DatabaseLiveness, 'ageMs' | 'latencyMs' | 'writeRefused' | 'writesWork'>,
  mustTakeWrites: () => Promise<unknown>,
): HealthCheck => ({
  name: 'svc_relational_db',
  tags: [],
  periodMs: databasePeriodMs,
  check: async () => {
    if (liveness.ageMs > pulseMs || liveness.writeRefused) {
      await mustTakeWrites();
      liveness.writesWork();
    }
    return { status: 'Healthy', latencyMs: liveness.latencyMs };
  },
});

/** Lost acknowledged events need a decision by people: the check stays Degraded until the host restarts. */
export function storeHistoryCheck(
  loss: () => Promise<Loss | undefined>,
  report: (loss: Loss) => void,
): HealthCheck {
  let known: Loss | undefined;
  return {
    name: 'store_history',
    tags: [],
    periodMs: 2_500,
    check: async () => {
      // That the database does not answer is for its own check to report.
      const found = await loss().catch(() => undefined);
      if (found !== undefined) report((known = found));
      if (known === undefined) return healthy;
      const detail = `The database went back: events up to position ${known.lostTo} that this host saw are lost, it ended at ${known.head}. Compare with the lost server or a backup, then restart the host.`;
      return { status: 'Degraded', detail };
    },
  };
}
