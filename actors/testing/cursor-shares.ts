import type { Database } from '../../runtime/database/database.js';
import { until } from '../../runtime/testing/until.js';

/** On a busy machine hosts take their time to start. */
export const patienceMs = 90_000;

/** How many cursors of the reaction and of the timers each host holds, most first. */
export const shares = async (owner: Database): Promise<readonly number[]> =>
  (
    await owner.rows({
      text: `SELECT count(*) FROM svc_cursors WHERE name ~ '^(reaction|timers)/' AND owner IS NOT NULL
        AND lease_until > clock_timestamp() GROUP BY owner ORDER BY 1 DESC`,
    })
  ).map(([share]) => Number(share));

export const areShared = (owner: Database, ...expected: readonly number[]) =>
  until(async () => (await shares(owner)).join() === expected.join(), patienceMs);
