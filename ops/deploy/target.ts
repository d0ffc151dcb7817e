/** One of the two revisions that a deployment moves traffic between. */
export type Side = 'old' | 'new';

/** What the front and the hosts of one revision report. */
export interface SideReport {
  readonly revision: string;
  /** Hosts wanted, and hosts that serve. */
  readonly replicas: number;
  readonly ready: number;
  /** Requests answered through the front, and those answered with 5xx or not at all; both only grow. */
  readonly requests: number;
  readonly errors: number;
}

export interface Report {
  readonly old: SideReport;
  readonly new: SideReport;
  /** The share of requests that the front sends to the new revision, in percent. */
  readonly toNew: number;
  /** Set while the source of the metrics does not answer, with the reason: requests and errors mean nothing then. */
  readonly unmeasured?: string;
}

/**
 * What carries traffic to two revisions of a service. Every call may be repeated: a deployment that was interrupted
 * begins its last step again. Every call ends by itself, at the latest when the signal aborts.
 */
export interface DeploymentTarget {
  /** Raises the target's weight before it lowers the source's: at no moment both are zero. */
  setWeights(toNew: number, signal: AbortSignal): Promise<void>;
  /** Whether the header x-canary: always|never chooses the revision. */
  force(enabled: boolean, signal: AbortSignal): Promise<void>;
  observe(signal: AbortSignal): Promise<Report>;
  /** Starts or stops hosts; does not wait until they are ready, nor longer than `withinMs`. Zero keeps the revision's settings. */
  scale(side: Side, replicas: number, signal: AbortSignal, withinMs?: number): Promise<void>;
  /** Sends all traffic to one side at once, by the front's selector. */
  switch(to: Side, signal: AbortSignal): Promise<void>;
  /** Resolves when the side gets no new requests and has answered those it had, or `withinMs`: a stream may never end. */
  drain(side: Side, signal: AbortSignal, withinMs?: number): Promise<void>;
}

/** Binds a target to two revisions. `undefined` for old: the revision that serves now. */
export interface DeploymentDriver {
  /** The revision that serves now, and those that could be deployed again, newest first. */
  revisions(
    signal: AbortSignal,
  ): Promise<{ readonly current: string | undefined; readonly known: readonly string[] }>;
  /** `source`: an application folder (haproxy) or an image (kubernetes); undefined for a revision known already. */
  prepare(revision: string, source: string | undefined, signal: AbortSignal): Promise<DeploymentTarget>;
}
