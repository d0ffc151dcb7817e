import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { finished, stageReached } from './deployment-events.js';
import { columns, deploymentIn, type StoredDeployment } from './deployment-rows.js';
import { type DeploymentStore, leaseSeconds } from './deployment-store.js';
import type { Journal, OperatorRequest } from './journal.js';

const noEvents = (): readonly SystemMessage[] => [];

/** The journal of the process that holds the lease of a deployment. */
export function postgresJournal(store: DeploymentStore, id: string, holder: string): Journal {
  /** `assignments` may use the values from $3 on. */
  const write = (
    assignments: string,
    values: readonly unknown[],
    eventsOf: (deployment: StoredDeployment) => readonly SystemMessage[] = noEvents,
  ): Promise<void> =>
    store.change(async (session) => {
      const [row] = await session.rows({
        text: `UPDATE svc_deployments SET ${assignments}, ${renewal} WHERE ${isHeld} RETURNING ${columns}`,
        values: [id, holder, ...values],
      });
      if (row === undefined) throw lost();
      return { result: undefined, events: eventsOf(deploymentIn(row)) };
    });
  return {
    beginStep: (step) => write('step = $3', [step]),
    beginRevertStep: (step) => write('revert_step = $3', [step]),
    // An entry for each stage, so that the next one is at its index even if this one is never measured.
    reach: (stage, toNew) =>
      write(
        `stage = $3::integer, to_new = $4, ${measuredAt('$3', '$5')}`,
        [stage, toNew, JSON.stringify({ toNew, requests: 0, errors: 0, oldRequests: 0, oldErrors: 0 })],
        (deployment) => [stageReached(deployment)],
      ),
    measure: (stage, measured) => write(measuredAt('$3', '$4'), [stage, JSON.stringify(measured)]),
    renew: () =>
      store.change(async (session) => {
        const [row] = await session.rows({
          text: `WITH asked AS (SELECT request FROM svc_deployments WHERE ${isHeld} FOR UPDATE)
            UPDATE svc_deployments SET request = NULL, ${renewal} FROM asked WHERE ${isHeld} RETURNING asked.request, reason`,
          values: [id, holder],
        });
        if (row === undefined) throw lost();
        const request = (row[0] ?? undefined) as OperatorRequest | undefined;
        // The column is the reason of a revert, so only an abort has written it.
        const reason = request === 'abort' ? (row[1] ?? undefined) : undefined;
        return { result: request && { request, reason }, events: [] };
      }),
    pause: (isPaused) => write('state = $3', [isPaused ? 'paused' : 'running']),
    beginRevert: (reason) => write(`state = 'reverting', revert_step = 0, reason = $3`, [reason]),
    finish: (state) =>
      write('state = $3, finished_at = clock_timestamp()', [state], (deployment) => [finished(deployment)]),
  };
}

const measuredAt = (stage: string, value: string): string =>
  `measured = jsonb_set(measured, ARRAY[${stage}::text], ${value}::jsonb, true)`;

const isHeld = 'id = $1 AND holder = $2 AND finished_at IS NULL';
const renewal = `updated_at = clock_timestamp(), lease_expires_at = clock_timestamp() + interval '${leaseSeconds} seconds'`;

const lost = (): Problem =>
  new Problem('deployment-conflict', { detail: 'Another process has taken over this deployment.' });
