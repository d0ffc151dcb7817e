import type { Database } from '../../runtime/database/database.js';
import { until } from '../../runtime/kit/until.js';

/** On a busy machine hosts take their time to start. */
const patienceMs = 90_000;

/** Until what each host holds of the leases whose names match, most first, is one of these. */
export const untilShared = (
  owner: Database,
  names: string,
  ...expected: readonly (readonly number[])[]
): Promise<number> =>
  until(async () => {
    const held = await owner.rows({
      text: `SELECT count(*) FROM svc_leases WHERE name ~ $1 AND owner IS NOT NULL
        AND lease_until > clock_timestamp() GROUP BY owner ORDER BY 1 DESC`,
      values: [names],
    });
    return expected.some((shares) => shares.join() === held.flat().join());
  }, patienceMs);
