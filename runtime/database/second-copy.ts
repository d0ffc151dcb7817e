import type { ClientBase } from 'pg';
import type { Durability } from '../../contracts/durability.js';
import { Problem } from '../../contracts/problems.js';
import { outcomeUnknown, sqlStateOf } from './sql-error.js';

/** The SQLSTATE with which the commit procedure refuses to store on one server what was declared to be on two. */
const noStandbyState = 'SV001';

/** Runs a statement whose commit is acknowledged to others. */
type AcknowledgedRun = <T>(client: ClientBase, run: () => Promise<T>) => Promise<T>;

export interface AcknowledgedRuns {
  /** The commit procedure, which refuses by itself. */
  readonly call: AcknowledgedRun;
  readonly statement: AcknowledgedRun;
}

export const acknowledgedRunsOf = (durability: Durability = 'local'): AcknowledgedRuns =>
  durability === 'sync'
    ? { call: afterwardsOnTwo, statement: onTwo }
    : { call: (_, run) => run(), statement: (_, run) => run() };

/** Without a synchronous standby in its settings, the server commits on one disk and reports success. */
const onTwo: AcknowledgedRun = async (client, run) => {
  if (!(await asksForStandby(client))) throw noStandby();
  return afterwardsOnTwo(client, run);
};

/** Emptying the setting also releases commits that wait. */
const afterwardsOnTwo: AcknowledgedRun = async (client, run) => {
  const result = await run().catch((error: unknown) => {
    throw sqlStateOf(error) === noStandbyState ? noStandby() : error;
  });
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
