import type { ClientBase } from 'pg';
import type { Durability } from '../../contracts/durability.js';
import { Problem } from '../../contracts/problems.js';
import { outcomeUnknown } from './sql-error.js';

/** Runs a statement whose commit is acknowledged to others. */
export type AcknowledgedRun = <T>(client: ClientBase, run: () => Promise<T>) => Promise<T>;

export const acknowledgedRunOf = (durability: Durability = 'local'): AcknowledgedRun =>
  durability === 'sync' ? withSecondCopy : (_, run) => run();

/**
 * Without a synchronous standby in its settings, the server commits on one disk and reports success. Emptying the setting
 * also releases commits that wait, so it is read after the commit as well as before.
 */
const withSecondCopy: AcknowledgedRun = async (client, run) => {
  if (!(await asksForStandby(client))) throw noStandby();
  const result = await run();
  if (!(await asksForStandby(client))) throw outcomeUnknown(noStandby());
  return result;
};

async function asksForStandby(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<string[]>({
    name: 'svc_standbys',
    text: standbysQuery,
    rowMode: 'array',
  });
  return rows[0]?.[0] !== '';
}

const standbysQuery = "SELECT current_setting('synchronous_standby_names')";

const noStandby = (): Problem =>
  new Problem('store-unavailable', {
    detail:
      'The database has no synchronous standby, and SVC_DURABILITY is sync: nothing is committed until synchronous_standby_names is set.',
    retryAfter: 1,
  });
