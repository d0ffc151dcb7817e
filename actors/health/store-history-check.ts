import type { HealthCheck } from '../../contracts/health.js';
import type { StoreWitness } from '../../runtime/store/store-witness.js';
import { degradedBy } from './healthy-or-degraded.js';

/**
 * Lost acknowledged events need a decision by people: the check stays Degraded until the host restarts, and is Unhealthy
 * while nothing is written.
 */
export const storeHistoryCheck = (
  witness: Pick<StoreWitness, 'loss' | 'isRefused'>,
  look: () => Promise<void>,
  fileFailure: () => string | undefined = () => undefined,
): HealthCheck => ({
  name: 'store_history',
  tags: [],
  periodMs: 2_500,
  check: async () => {
    // That the database does not answer is for its own check to report.
    await look().catch(() => undefined);
    const { loss, isRefused } = witness;
    const notKept = fileFailure();
    if (loss === undefined) return degradedBy(notKept === undefined ? [] : [notKeptText(notKept)]);
    const range = `The database went back to position ${loss.fork}: acknowledged events up to position ${loss.lostTo} are lost (epoch ${loss.epoch}).`;
    if (isRefused)
      return {
        status: 'Unhealthy',
        detail: `${range} Nothing is written. Bring back the server that has them, or run svc store accept-loss --reason TEXT.`,
      };
    return {
      status: 'Degraded',
      detail: `${range} Compare with the lost server or a backup, then restart the host.`,
    };
  },
});

const notKeptText = (reason: string): string =>
  `This host cannot record what it has seen of its store; make SVC_DATA_DIR writable: ${reason}`;
