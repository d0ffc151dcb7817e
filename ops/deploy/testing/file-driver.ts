import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { systemClock } from '../clock.js';
import type { DeploymentDriver } from '../target.js';
import { healthy, pass, simulatedState, type SimulatedState, type Simulation } from './simulated-front.js';
import { simulatedTarget, type StateHolder } from './simulated-target.js';

const world = (config: unknown): Simulation => ({
  ...healthy,
  bootMs: 0,
  ...(config as Partial<Simulation>),
});

/** Of all processes that use the file. */
const clock = { ...systemClock, now: () => Date.now() };

/** A file that outlives the processes that read and write it. */
const inFile = (file: string): StateHolder => ({
  read: () => JSON.parse(readFileSync(file, 'utf8')) as SimulatedState,
  write: (state) => {
    const next = `${file}.${process.pid}`;
    writeFileSync(next, JSON.stringify(state));
    renameSync(next, file);
  },
});

export const newFront = (file: string, oldReplicas: number): void =>
  inFile(file).write(simulatedState(oldReplicas, Date.now()));

/** A simulated front for `svc deploy`, whose state is the file front.json beside deploy.json. */
export function deploymentDriver(config: unknown, folder: string): DeploymentDriver {
  const holder = inFile(resolve(folder, 'front.json'));
  return {
    revisions: async () => {
      const { sides, toNew } = holder.read();
      const current = (toNew === 100 ? sides.new : sides.old).revision;
      return { current, known: [sides.new.revision, sides.old.revision].filter((name) => name !== '') };
    },
    prepare: async (revision) => {
      if (revision === 'unreachable')
        throw new Problem('invalid-setup', { detail: 'There is no front at /run/front.sock.' });
      if (revision === 'endless') await new Promise(() => setInterval(() => undefined, 1_000));
      const state = holder.read();
      pass(state, world(config), Date.now());
      holder.write(boundTo(revision, state));
      return simulatedTarget(holder, world(config), clock);
    },
  };
}

/** The side that serves is the old one. */
function boundTo(revision: string, state: SimulatedState): SimulatedState {
  const { sides, toNew } = state;
  if (sides.new.revision === revision) return state;
  const swapped = toNew === 100 ? { old: sides.new, new: sides.old } : sides;
  const kept = swapped.new.revision === revision;
  const emptied = { ...swapped.new, revision, replicas: 0, ready: 0 };
  return {
    ...state,
    toNew: 0,
    sides: { old: swapped.old, new: kept ? swapped.new : emptied },
  };
}
