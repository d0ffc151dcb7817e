import type { Row } from '../../runtime/database/database.js';
import type { Deployment, DeploymentState, Measured } from './journal.js';
import type { DeploymentOptions, Strategy } from './steps.js';

/** A deployment as it is stored. */
export interface StoredDeployment extends Deployment {
  /** Whether a process holds its lease. */
  readonly isDriven: boolean;
  readonly startedAt: string;
  readonly finishedAt: string | undefined;
}

export const columns = `json_build_object('id', id, 'service', service, 'strategy', strategy, 'revision', revision,
  'previous', previous, 'source', source, 'config', config, 'options', options, 'state', state, 'step', step,
  'revertStep', revert_step, 'stage', stage, 'toNew', to_new, 'measured', measured, 'reason', reason, 'actor', actor,
  'isDriven', lease_expires_at > clock_timestamp() AND finished_at IS NULL,
  'startedAt', started_at, 'finishedAt', finished_at)`;

/** The row as the writer of this table made it. */
interface Stored {
  readonly id: string;
  readonly service: string;
  readonly strategy: Strategy;
  readonly revision: string;
  readonly previous: string | null;
  readonly source: string | null;
  readonly config: string;
  readonly options: DeploymentOptions;
  readonly state: DeploymentState;
  readonly step: number;
  readonly revertStep: number;
  readonly stage: number;
  readonly toNew: number;
  readonly measured: readonly Measured[];
  readonly reason: string | null;
  readonly actor: string;
  readonly isDriven: boolean;
  readonly startedAt: string;
  readonly finishedAt: string | null;
}

export function deploymentIn([text]: Row): StoredDeployment {
  const stored = JSON.parse(text ?? '') as Stored;
  const { previous, source, reason, finishedAt } = stored;
  return {
    ...stored,
    previous: previous ?? undefined,
    source: source ?? undefined,
    reason: reason ?? undefined,
    finishedAt: finishedAt ?? undefined,
  };
}
