import { createActor } from 'xstate';
import { thrownMessage } from '../../runtime/thrown.js';
import { startStoppable } from '../supervisor/start-stoppable-actor.js';
import {
  outboxRelayMachine,
  type OutboxRelayPorts,
  relayDefaults,
  type RelaySettings,
} from './outbox-relay-machine.js';
import type { RelayCounts } from './relay-publisher.js';

/** A running relay; of all relays that share a store, one is active. */
export interface OutboxRelay {
  readonly counts: Readonly<RelayCounts>;
  /**
   * `relaying`, `resting`, `idle`, `backingOff`, `steppingDown`, `outOfReach`, `probing`, `withoutLease`,
   * `releasing` or `stopped`.
   */
  readonly state: string;
  /** Why the last round failed; undefined after one that did not. */
  readonly failure: string | undefined;
  /** Reports that the log has grown. */
  wake(): void;
  /** Waits for what is in flight and releases the lease. */
  stop(): Promise<void>;
}

export function startOutboxRelay(
  ports: OutboxRelayPorts,
  settings: Partial<RelaySettings> = {},
  crashed?: (error: unknown) => void,
): OutboxRelay {
  const counts: RelayCounts = { published: 0, filtered: 0, refused: 0, deadLettered: 0 };
  const input = { ports, settings: { ...relayDefaults, ...settings }, counts };
  const actor = createActor(outboxRelayMachine, { input });
  const stop = startStoppable(actor, crashed);
  return {
    counts,
    get state() {
      return actor.getSnapshot().value;
    },
    get failure() {
      const { error } = actor.getSnapshot().context;
      return error === undefined ? undefined : thrownMessage(error);
    },
    wake: () => actor.send({ type: 'wake' }),
    stop,
  };
}
