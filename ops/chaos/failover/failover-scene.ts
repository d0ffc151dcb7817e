import type { NatsCluster } from '../../../runtime/testing/nats-cluster.js';
import type { SentCommand } from '../harness/consistency-check.js';
import type { PostgresTrio } from './postgres-trio.js';

/** What `SVC_DURABILITY` of the host declares. */
export type FailoverMode = 'sync' | 'async';

export interface Scene {
  readonly trio: PostgresTrio;
  readonly nats: NatsCluster;
  /** The address of the host. */
  readonly url: string;
  /** The commands of all rounds so far. */
  readonly sent: SentCommand[];
}

/** The number of acknowledged commands before, during and after a fault. */
export const enough = 50;
