import type { HealthCheck } from '../../contracts/health.js';
import type { DatabaseLiveness } from '../../runtime/database/liveness.js';

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
