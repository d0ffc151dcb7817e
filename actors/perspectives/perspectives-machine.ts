import { sendTo, setup } from 'xstate';
import { type LeaseInput, perspectiveLeases } from './perspective-leases.js';
import { outboxWakeUps, type SessionSource, type WakeUp } from '../outbox/outbox-wake-ups.js';

interface PerspectivesInput {
  readonly database: SessionSource;
  readonly leases: LeaseInput;
  /** The log has grown. */
  readonly wake: () => void;
}

/** What the perspectives of a host share: one connection that listens, and one question that keeps all leases. */
export const perspectivesMachine = setup({
  types: {
    context: {} as PerspectivesInput,
    input: {} as PerspectivesInput,
    events: {} as WakeUp | { readonly type: 'ask' },
  },
  actors: { wakeUps: outboxWakeUps, leases: perspectiveLeases },
  actions: { ask: sendTo('leases', { type: 'ask' }), wake: ({ context }) => context.wake() },
}).createMachine({
  id: 'perspectives',
  context: ({ input }) => input,
  invoke: [
    { src: 'wakeUps', input: ({ context }) => ({ database: context.database }), onError: {} },
    { id: 'leases', src: 'leases', input: ({ context }) => context.leases, onError: {} },
  ],
  on: { wake: { actions: 'wake' }, freed: { actions: 'ask' }, ask: { actions: 'ask' } },
});
