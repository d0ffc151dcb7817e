import type { DeploymentOptions, Strategy } from './steps.js';

/** What an operator asks the process that drives a deployment. */
export type OperatorRequest = 'pause' | 'promote' | 'abort' | 'resume';

/** What an operator asked for, and why. */
export interface AskedOfDeployment {
  readonly request: OperatorRequest;
  readonly reason: string | undefined;
}

export type DeploymentState = 'running' | 'paused' | 'reverting' | 'completed' | 'reverted';

/** What was measured in a stage. */
export interface Measured {
  readonly toNew: number;
  readonly requests: number;
  readonly errors: number;
  readonly oldRequests: number;
  readonly oldErrors: number;
}

export interface Deployment {
  readonly id: string;
  readonly service: string;
  readonly strategy: Strategy;
  readonly revision: string;
  readonly previous: string | undefined;
  readonly source: string | undefined;
  /** The absolute path of its deploy.json. */
  readonly config: string;
  readonly options: DeploymentOptions;
  readonly state: DeploymentState;
  readonly step: number;
  readonly revertStep: number;
  readonly stage: number;
  readonly toNew: number;
  readonly measured: readonly Measured[];
  readonly reason: string | undefined;
  readonly actor: string;
}

/** The state of one deployment, written by the process that holds its lease; any call fails once another holds it. */
export interface Journal {
  /** The step begins when this has resolved. */
  beginStep(step: number): Promise<void>;
  beginRevertStep(step: number): Promise<void>;
  reach(stage: number, toNew: number): Promise<void>;
  measure(stage: number, measured: Measured): Promise<void>;
  /** Renews the lease, and takes the request of an operator. */
  renew(): Promise<AskedOfDeployment | undefined>;
  pause(isPaused: boolean): Promise<void>;
  beginRevert(reason: string): Promise<void>;
  finish(state: 'completed' | 'reverted'): Promise<void>;
}
