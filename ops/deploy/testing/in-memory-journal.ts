import type { Deployment, Journal, Measured, OperatorRequest } from '../journal.js';
import type { DeploymentOptions, Strategy } from '../steps.js';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export const deploymentOf = (strategy: Strategy, options: DeploymentOptions): Writable<Deployment> => ({
  id: '0190b5d4-0000-7000-8000-000000000001',
  service: 'orders',
  strategy,
  revision: '1.5.0',
  previous: options.oldReplicas === 0 ? undefined : '1.4.2',
  source: undefined,
  config: '/srv/deploy.json',
  options,
  state: 'running',
  step: 0,
  revertStep: 0,
  stage: 0,
  toNew: 0,
  measured: [],
  reason: undefined,
  actor: 'ann',
});

/** The state of a deployment in memory. `before` may throw, as if the process was killed. */
export function inMemoryJournal(
  deployment: Writable<Deployment>,
  {
    before = () => undefined,
    request = () => undefined,
  }: {
    readonly before?: (call: string) => void;
    readonly request?: () => OperatorRequest | undefined;
  } = {},
): Journal {
  const write = async (call: string, change: Partial<Deployment>): Promise<void> => {
    before(call);
    Object.assign(deployment, change);
  };
  return {
    beginStep: (step) => write('beginStep', { step }),
    beginRevertStep: (revertStep) => write('beginRevertStep', { revertStep }),
    reach: (stage, toNew) => write('reach', { stage, toNew }),
    measure: (stage, measured) =>
      write('measure', { measured: withStage(deployment.measured, stage, measured) }),
    renew: async () => {
      before('renew');
      const asked = request();
      return asked === undefined ? undefined : { request: asked, reason: undefined };
    },
    pause: (isPaused) => write('pause', { state: isPaused ? 'paused' : 'running' }),
    beginRevert: (reason) => write('beginRevert', { state: 'reverting', revertStep: 0, reason }),
    finish: (state) => write('finish', { state }),
  };
}

const withStage = (list: readonly Measured[], stage: number, measured: Measured): readonly Measured[] => {
  const next = [...list];
  next[stage] = measured;
  return next;
};
