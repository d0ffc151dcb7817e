import type { Side } from './target.js';

export const strategies = ['recreate', 'rolling', 'blue-green', 'canary'] as const;
export type Strategy = (typeof strategies)[number];

/** What a deployment was started with; kept with it, so that another process can continue it. */
export interface DeploymentOptions {
  /** Hosts of the new revision. */
  readonly replicas: number;
  /** Hosts of the revision that served before; 0: there was none. */
  readonly oldReplicas: number;
  /** Shares of a canary, in percent. */
  readonly stages: readonly number[];
  readonly stageMs: number;
  /** More errors than this, in percent of the requests of a stage, revert. */
  readonly maxErrors: number;
  /** Fewer requests than this decide nothing. */
  readonly minSample: number;
  /** How long a stage waits for enough requests, after its time. */
  readonly holdMs: number;
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  /** Hosts of the old environment that blue-green keeps. */
  readonly keep: number;
  readonly readyMs: number;
  /** How long every other step may take. */
  readonly stepMs: number;
  readonly gates: GateSettings;
}

/** What must pass before and after. */
export interface GateSettings {
  /** Whether the checks of `svc check` run where they can: before, of an application folder; after, at a URL. */
  readonly builtIn: boolean;
  readonly pre?: string;
  readonly post?: string;
  readonly url?: string;
}

export type GateName = 'pre' | 'post';

/** One thing that a deployment does; each may be repeated. */
export type Step =
  | { readonly do: 'gate'; readonly gate: GateName }
  | { readonly do: 'scale'; readonly side: Side; readonly replicas: number }
  | { readonly do: 'await-ready'; readonly side: Side; readonly replicas: number }
  /** All hosts that the side has now: an autoscaler may have changed their number. */
  | { readonly do: 'await-serving'; readonly side: Side }
  | { readonly do: 'await-stopped'; readonly side: Side }
  | { readonly do: 'force'; readonly enabled: boolean }
  | { readonly do: 'set-weights'; readonly toNew: number }
  | { readonly do: 'switch'; readonly to: Side }
  | { readonly do: 'drain'; readonly side: Side }
  /** Records that the stage has its share of the requests. */
  | { readonly do: 'reach'; readonly toNew: number }
  /** Compares errors with requests; one that `holds` does not end before there were enough requests. */
  | { readonly do: 'watch'; readonly forMs: number; readonly holds: boolean };

export type Steps = Generator<Step, void, void>;

/** Starts hosts and waits until they serve. */
export function* start(side: Side, replicas: number): Steps {
  yield { do: 'scale', side, replicas };
  yield { do: 'await-ready', side, replicas };
}

/** The hosts that the steps asked for; the last step may not have happened. */
export function hostsAfter(
  { oldReplicas }: Pick<DeploymentOptions, 'oldReplicas'>,
  steps: readonly Step[],
): Record<Side, number> {
  const hosts = { old: oldReplicas, new: 0 };
  for (const step of steps) if (step.do === 'scale') hosts[step.side] = step.replicas;
  return hosts;
}

/** The share of the new revision that the steps asked for, in percent. */
export function shareAfter(steps: readonly Step[]): number {
  let share = 0;
  for (const step of steps) {
    if (step.do === 'set-weights') share = step.toNew;
    if (step.do === 'switch') share = step.to === 'new' ? 100 : 0;
  }
  return share;
}
