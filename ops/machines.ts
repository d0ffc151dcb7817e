import type { AnyStateMachine } from 'xstate';
import { healthBoardMachine } from '../actors/health/board.js';
import { outboxRelayMachine } from '../actors/outbox-relay-machine.js';
import { perspectiveRebuildMachine } from '../actors/perspective-rebuild-machine.js';
import { perspectiveRunnerMachine } from '../actors/perspective-runner-machine.js';
import { perspectivesMachine } from '../actors/perspectives-machine.js';
import { subscriberMachine } from '../actors/subscriber-machine.js';
import { supervisedChildMachine } from '../actors/supervised-child.js';
import { supervisorMachine } from '../actors/supervisor.js';
import { lifecycleMachine } from '../endpoints/lifecycle/machine.js';

/** Every statechart of a host. */
export const machines: readonly AnyStateMachine[] = [
  lifecycleMachine,
  outboxRelayMachine,
  subscriberMachine,
  perspectivesMachine,
  perspectiveRunnerMachine,
  perspectiveRebuildMachine,
  healthBoardMachine,
  supervisorMachine,
  supervisedChildMachine,
];
