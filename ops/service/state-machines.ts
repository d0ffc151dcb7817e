import type { AnyStateMachine } from 'xstate';
import { effectMachine } from '../../actors/due/effect-machine.js';
import { followerMachine } from '../../actors/follow/follower-machine.js';
import { healthBoardMachine } from '../../actors/health/health-board.js';
import { perspectiveRebuildMachine } from '../../actors/perspectives/perspective-rebuild-machine.js';
import type { Process } from '../../actors/processes/process.js';
import { supervisedChildMachine } from '../../actors/supervisor/supervised-child-machine.js';
import { supervisorMachine } from '../../actors/supervisor/supervisor.js';
import { lifecycleMachine } from '../../endpoints/lifecycle/lifecycle-machine.js';

/** The statecharts of every host; an application adds its processes. */
export const machines: readonly AnyStateMachine[] = [
  lifecycleMachine,
  followerMachine,
  effectMachine,
  perspectiveRebuildMachine,
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
