import type { ActorNode } from './actor-node.js';
import type { DeploymentItem } from './deployments.js';
import type { EffectsPart } from './effects.js';
import type { EventModel } from './event-model.js';
import type { FlagsPart } from './flags.js';
import type { HealthFigures } from './health.js';
import type { LifecyclePart } from './lifecycle.js';
import type { OutboxPart } from './outbox.js';
import type { Overview } from './overview.js';
import type { PerspectivesPart } from './perspectives.js';
import type { ProcessesPart } from './processes.js';
import type { StreamsPart } from './streams.js';
import type { StuckPart } from './stuck.js';
import type { SystemPart } from './system-records.js';
import type { MaybePromise } from './maybe-promise.js';

/** The host and the store that are shown, if there are several. */
interface HostSelection {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** The source of a console: one host, all hosts of a supervisor, or all hosts known to a monitor. */
export interface ConsoleSource {
  hosts(): readonly string[];
  /** Without a name, the first host or all combined; undefined if there is no such host. */
  select(selection: HostSelection): ConsoleHost | undefined;
}

/** One host; a part that it does not have is absent, and the page shows that. */
export interface ConsoleHost {
  readonly about: HostInfo;
  readonly lifecycle?: LifecyclePart;
  readonly streams?: StreamsPart;
  readonly system?: SystemPart;
  readonly perspectives?: PerspectivesPart;
  readonly processes?: ProcessesPart;
  readonly effects?: EffectsPart;
  readonly stuck?: StuckPart;
  readonly outbox?: OutboxPart;
  readonly flags?: FlagsPart;
  readonly map?: () => Promise<EventModel>;
  /** Newest first. */
  readonly deployments?: () => Promise<readonly DeploymentItem[]>;
  /** Every statechart of the host, as its definition. */
  readonly machines?: () => readonly unknown[];
  readonly actors?: () => MaybePromise<readonly ActorNode[]>;
  readonly health?: () => MaybePromise<HealthFigures>;
  /** All hosts known to a monitor. */
  readonly overview?: () => Overview;
}

export interface HostInfo {
  readonly host: string;
  readonly service: string;
  readonly version: string;
  /** Whether system events stay on the host or are broadcast. */
  readonly broadcasts: boolean;
  readonly startedAt: string;
  /** Whether perspectives can be rebuilt from here. */
  readonly rebuilds: boolean;
  /** The panels to show; without it, those of every host. */
  readonly panels?: readonly string[];
  /** Whether it is one of several that are combined when none is chosen. */
  readonly hasCombinedView?: boolean;
}
