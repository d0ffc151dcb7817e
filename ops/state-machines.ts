import type { AnyStateMachine } from 'xstate';
import { healthBoardMachine } from '../actors/health/health-board.js';
import { outboxRelayMachine } from '../actors/outbox/outbox-relay-machine.js';
import { perspectiveRebuildMachine } from '../actors/perspectives/perspective-rebuild-machine.js';
import { perspectiveRunnerMachine } from '../actors/perspectives/perspective-runner-machine.js';
import { perspectivesMachine } from '../actors/perspectives/perspective-lease-keeper.js';
import { cursorMachine } from '../actors/reactions/cursor-machine.js';
import { subscriberMachine } from '../actors/subscriber/subscriber-machine.js';
import { supervisedChildMachine } from '../actors/supervisor/supervised-child-machine.js';
import { supervisorMachine } from '../actors/supervisor/supervisor.js';
import { lifecycleMachine } from '../endpoints/lifecycle/lifecycle-machine.js';

/** Every statechart of a host. */
export const machines: readonly AnyStateMachine[] = [
  lifecycleMachine,
  outboxRelayMachine,
  subscriberMachine,
  perspectivesMachine,
  perspectiveRunnerMachine,
  perspectiveRebuildMachine,
  cursorMachine,
  healthBoardMachine,
  supervisorMachine,
  supervisedChildMachine,
];
