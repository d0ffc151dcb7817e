import type { HealthCheck } from '../../contracts/health.js';
import type { Loss } from '../../runtime/store/loss-detector.js';
import { healthy } from './healthy-or-degraded.js';

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
