import type { AnyStateMachine } from 'xstate';
import { outboxRelayMachine } from '../actors/outbox-relay-machine.js';
import { lifecycleMachine } from '../endpoints/lifecycle/machine.js';

/** Every statechart of a host. */
export const machines: readonly AnyStateMachine[] = [lifecycleMachine, outboxRelayMachine];
