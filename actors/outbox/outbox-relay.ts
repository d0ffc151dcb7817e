import { createActor, toPromise } from 'xstate';
import { endOrphansOf } from '../supervisor/orphans.js';
import {
  outboxRelayMachine,
  type OutboxRelayPorts,
  relayDefaults,
  type RelaySettings,
} from './outbox-relay-machine.js';
import type { RelayCounts } from './relay-sender.js';

/** A living relay; of all that share a store, one is active. */
export interface OutboxRelay {
  readonly counts: Readonly<RelayCounts>;
  /** `relaying`, `resting`, `idle`, `backingOff`, `withoutLease`, `releasing` or `stopped`. */
  readonly state: string;
  /** Somebody has seen that the log has grown. */
  wake(): void;
  /** Waits for what is in flight and lets another one go on at once. */
  stop(): Promise<void>;
}

const longestStopMs = 4_000;

export function startOutboxRelay(
  ports: OutboxRelayPorts,
  settings: Partial<RelaySettings> = {},
  crashed: (error: unknown) => void = () => undefined,
): OutboxRelay {
  const counts: RelayCounts = { published: 0, passedOver: 0, refused: 0, deadLettered: 0 };
  const input = { ports, settings: { ...relayDefaults, ...settings }, counts };
  const actor = createActor(outboxRelayMachine, { input });
  const ended = toPromise(actor).then(
    () => undefined,
    (error: unknown) => {
      endOrphansOf(actor);
      crashed(error);
    },
  );
  actor.start();
  return {
    counts,
    get state() {
      return actor.getSnapshot().value;
    },
    wake: () => actor.send({ type: 'wake' }),
    stop: async () => {
      // A store that does not answer must not keep the host from ending.
      const tooLong = setTimeout(() => actor.stop(), longestStopMs);
      actor.send({ type: 'stop' });
      await ended;
      clearTimeout(tooLong);
    },
  };
}
