import type { OperatorAction } from '../../../runtime/audit/operator-action.js';
import type { ActorNode } from './actor-node.js';
import type { HealthFigures } from './health.js';
import type { LifecyclePart } from './lifecycle.js';
import type { OutboxPart } from './outbox.js';
import type { Overview } from './overview.js';
import type { PerspectivesPart } from './perspectives.js';
import type { SystemPart } from './system-records.js';
import type { MaybePromise } from './maybe-promise.js';

/** Which of several hosts, and which of several stores, somebody looks at. */
interface HostSelection {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** Everything the console can look at: one host, all that a supervisor runs, or all that a monitor hears of. */
export interface ConsoleSource {
  hosts(): readonly string[];
  /** The first host, or all as one, when none is named; undefined when there is no such host. */
  select(selection: HostSelection): ConsoleHost | undefined;
}

/** One host; a part that it does not have is absent, and the page says so. */
export interface ConsoleHost {
  readonly about: HostInfo;
  readonly lifecycle?: LifecyclePart;
  readonly system?: SystemPart;
  readonly perspectives?: PerspectivesPart;
  readonly outbox?: OutboxPart;
  readonly actors?: () => MaybePromise<readonly ActorNode[]>;
  readonly health?: () => MaybePromise<HealthFigures>;
  /** All hosts that a monitor hears of. */
  readonly overview?: () => Overview;
  /** Puts on record what an operator did here. */
  readonly record?: (action: OperatorAction) => Promise<void>;
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
  /** What there is to show; without it everything but an overview. */
  readonly panels?: readonly string[];
  /** Whether it is one of several that are shown as one when none is chosen. */
  readonly hasCombinedView?: boolean;
}
