import type { Clock } from '../clock.js';
import type { DeploymentTarget } from '../target.js';
import {
  pass,
  reportOf,
  restartFront,
  scaleSide,
  type SimulatedState,
  type Simulation,
} from './simulated-front.js';

/** How a call goes wrong: before or after its effect, with an error or by never ending. */
export type Fault = 'refused' | 'failed-after' | 'hung' | 'hung-after';

const longestDrainMs = 30_000;

class SimulatedFault extends Error {}

/** Where the state is: in memory, or in a file that outlives the process. */
export interface StateHolder {
  read(): SimulatedState;
  write(state: SimulatedState): void;
}

export const inMemory = (state: SimulatedState): StateHolder => ({
  read: () => state,
  write: () => undefined,
});

/** A target in simulated time. `faultOf` is asked for each call that changes something. */
export function simulatedTarget(
  holder: StateHolder,
  world: Simulation,
  clock: Clock,
  faultOf: (call: string) => Fault | undefined = () => undefined,
): DeploymentTarget {
  const current = (): SimulatedState => {
    const state = holder.read();
    pass(state, world, clock.now());
    if (clock.now() >= world.restartAt && !state.hasRestarted) restartFront(state);
    return state;
  };
  const change = async (
    call: string,
    signal: AbortSignal,
    effect: (state: SimulatedState) => void,
  ): Promise<void> => {
    const fault = faultOf(call);
    if (fault === 'refused') throw new SimulatedFault('the front refused the call');
    if (fault !== 'hung') {
      const state = current();
      effect(state);
      holder.write(state);
    }
    if (fault === 'failed-after') throw new SimulatedFault('the connection was lost');
    if (fault !== undefined) await aborted(signal);
  };
  return {
    setWeights: (toNew, signal) => change('setWeights', signal, (state) => void (state.toNew = toNew)),
    force: (enabled, signal) => change('force', signal, (state) => void (state.isForced = enabled)),
    scale: (which, replicas, signal) =>
      change('scale', signal, (state) => scaleSide(state, world, clock.now(), which, replicas)),
    switch: (to, signal) => change('switch', signal, (state) => void (state.toNew = to === 'new' ? 100 : 0)),
    drain: async (side, signal, withinMs = longestDrainMs) => {
      await change('drain', signal, (state) => void (state.toNew = side === 'old' ? 100 : 0));
      if (world.hasStreams) await clock.sleep(Math.min(withinMs, longestDrainMs), signal);
    },
    observe: async () => {
      const state = current();
      holder.write(state);
      return reportOf(state, world, clock.now());
    },
  };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new SimulatedFault('the call was given up'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
