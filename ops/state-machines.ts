import type { AnyStateMachine } from 'xstate';
import { healthBoardMachine } from '../actors/health/health-board.js';
import { outboxRelayMachine } from '../actors/outbox/outbox-relay-machine.js';
import { perspectiveRebuildMachine } from '../actors/perspectives/perspective-rebuild-machine.js';
import { perspectiveRunnerMachine } from '../actors/perspectives/perspective-runner-machine.js';
import { perspectivesMachine } from '../actors/perspectives/perspective-lease-keeper.js';
import type { Process } from '../actors/processes/process.js';
import { cursorMachine } from '../actors/reactions/cursor-machine.js';
import { subscriberMachine } from '../actors/subscriber/subscriber-machine.js';
import { supervisedChildMachine } from '../actors/supervisor/supervised-child-machine.js';
import { supervisorMachine } from '../actors/supervisor/supervisor.js';
import { lifecycleMachine } from '../endpoints/lifecycle/lifecycle-machine.js';

/** The statecharts of every host; an application adds its processes. */
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

/** A statechart by the name under which it is found. */
export interface NamedMachine {
  readonly name: string;
  readonly machine: AnyStateMachine;
}

/** The machines of every host and those of the processes; an older version, or a name that is taken, has more to its name. */
export function namedMachines(processes: readonly Process[] = []): readonly NamedMachine[] {
  const named: NamedMachine[] = machines.map((machine) => ({ name: machine.id, machine }));
  for (const { name, machine, older = {} } of processes) {
    const isTaken = named.some((one) => one.name === name);
    const own = isTaken ? `process-${name}` : name;
    named.push({ name: own, machine });
    for (const [version, earlier] of Object.entries(older))
      named.push({ name: `${own}@${version}`, machine: earlier });
  }
  return named;
}
