import type { Row } from '../../runtime/database/database.js';
import type { Deployment } from './journal.js';

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

/** JSON has null for what is unset. */
type Unset = 'previous' | 'source' | 'reason' | 'finishedAt';
type Stored = Omit<StoredDeployment, Unset> & Readonly<Record<Unset, string | null>>;

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
