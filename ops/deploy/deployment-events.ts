import {
  DeploymentCompleted,
  DeploymentReverted,
  DeploymentStageReached,
  DeploymentStarted,
} from '../../contracts/events/deployment.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { nowText } from '../../runtime/lang/now-text.js';
import type { Deployment } from './journal.js';

const fieldsOf = ({ id, service, strategy, revision, previous, actor }: Deployment) => ({
  deploymentId: id,
  service,
  strategy,
  revision,
  ...(previous === undefined ? {} : { previousRevision: previous }),
  actor,
  timestamp: nowText(),
});

export const started = (deployment: Deployment): SystemMessage => new DeploymentStarted(fieldsOf(deployment));

export const stageReached = (deployment: Deployment): SystemMessage =>
  new DeploymentStageReached({ ...fieldsOf(deployment), toNew: deployment.toNew });

export const finished = (deployment: Deployment): SystemMessage => {
  const { state, toNew, reason = '' } = deployment;
  return state === 'completed'
    ? new DeploymentCompleted(fieldsOf(deployment))
    : new DeploymentReverted({ ...fieldsOf(deployment), toNew, reason });
};
