import { type ActorRefFrom, createActor, sendTo, setup } from 'xstate';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { type WakeUp, wakeUps } from '../lease/wake-ups.js';
import type { Child, Running } from '../supervisor/child.js';
import { stopOrphansOf } from '../supervisor/stop-orphaned-actors.js';
import { type LeaseInput, holdPerspectiveLeases } from './hold-perspective-leases.js';

interface PerspectivesInput {
  readonly notifications: NotificationSource;
  readonly leases: LeaseInput;
  /** The log has grown. */
  readonly wake: () => void;
}

const crash = {
  actions: ({ event }: { event: { error: unknown } }) => {
    throw event.error;
  },
};

/** What the perspectives of a host share: the store's notifications, and one query that renews all leases. */
export const perspectivesMachine = setup({
  types: {
    context: {} as PerspectivesInput,
    input: {} as PerspectivesInput,
    events: {} as WakeUp | { readonly type: 'ask' },
  },
  actors: { wakeUps, leases: holdPerspectiveLeases },
  actions: { ask: sendTo('leases', { type: 'ask' }), wake: ({ context }) => context.wake() },
}).createMachine({
  id: 'perspectives',
  context: ({ input }) => input,
  invoke: [
    { src: 'wakeUps', input: ({ context }) => ({ notifications: context.notifications }), onError: crash },
    { id: 'leases', src: 'leases', input: ({ context }) => context.leases, onError: crash },
  ],
  on: { wake: { actions: 'wake' }, freed: { actions: 'ask' }, ask: { actions: 'ask' } },
});

/** Renews the leases and wakes the runners; survives restarts of its actor. */
export class PerspectiveLeaseKeeper implements Child {
  readonly name = 'perspective-leases';
  #actor: ActorRefFrom<typeof perspectivesMachine> | undefined;

  constructor(private readonly input: PerspectivesInput) {}

  /** Asks for leases because one may be free, or because something is to be repaired. */
  requestLeases(): void {
    this.#actor?.send({ type: 'ask' });
  }

  start(crashed: (error: unknown) => void): Running {
    const actor = (this.#actor = createActor(perspectivesMachine, { input: this.input }));
    actor.subscribe({
      error: (error: unknown) => {
        stopOrphansOf(actor);
        crashed(error);
      },
    });
    actor.start();
    return { stop: () => actor.stop() };
  }
}
