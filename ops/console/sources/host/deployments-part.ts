import type { Database } from '../../../../runtime/database/database.js';
import { columns, deploymentIn } from '../../../deploy/deployment-rows.js';
import type { DeploymentItem } from '../../model/deployments.js';

const maxListed = 50;

/** The deployments of this store, newest first. */
export const deploymentsPart = (database: Database) => async (): Promise<readonly DeploymentItem[]> => {
  const rows = await database.rows({
    text: `SELECT ${columns} FROM svc_deployments ORDER BY started_at DESC LIMIT ${maxListed}`,
  });
  return rows.map(deploymentIn).map((stored) => ({
    id: stored.id,
    service: stored.service,
    strategy: stored.strategy,
    revision: stored.revision,
    previous: stored.previous,
    state: stored.state,
    stage: stored.stage,
    toNew: stored.toNew,
    reason: stored.reason,
    actor: stored.actor,
    isDriven: stored.isDriven,
    startedAt: stored.startedAt,
    finishedAt: stored.finishedAt,
  }));
};
