import { type Attendance, StepFailed } from './attendance.js';
import { actionText } from './plan.js';
import type { GateName, Step } from './steps.js';
import { type Gate, observed, type Surroundings } from './surroundings.js';
import type { Side, SideReport } from './target.js';
import { watchStage } from './watch-stage.js';

const gateMs = 1_800_000;
const pollMs = 500;

/** Performs one step; throws StepFailed if it did not succeed in time. `stage`: how many stages began before. */
export async function performStep(step: Step, stage: number, within: Surroundings): Promise<void> {
  try {
    await act(step, stage, within);
  } catch (error) {
    if (!(error instanceof StepFailed) || step.do === 'watch' || step.do === 'gate') throw error;
    throw new StepFailed(`could not ${actionText(step)}: ${error.message}`);
  }
}

async function act(step: Step, stage: number, within: Surroundings): Promise<void> {
  const { target, journal, options, attendance, gate } = within;
  // A driver that waits for what may not happen returns before it is given up.
  const withinMs = options.stepMs * 0.75;
  const call = (made: (signal: AbortSignal) => Promise<void>): Promise<void> =>
    attendance.during(options.stepMs, made);
  switch (step.do) {
    case 'gate':
      return passGate(step.gate, gate, attendance);
    case 'scale':
      return call((signal) => target.scale(step.side, step.replicas, signal, withinMs));
    case 'await-ready':
      return awaitHosts(within, step.side, ({ ready }) => ready >= step.replicas);
    case 'await-serving':
      return awaitHosts(within, step.side, ({ ready, replicas }) => ready >= Math.max(1, replicas));
    case 'await-stopped':
      return awaitHosts(within, step.side, ({ ready }) => ready === 0);
    case 'force':
      return call((signal) => target.force(step.enabled, signal));
    case 'set-weights':
      return call((signal) => target.setWeights(step.toNew, signal));
    case 'switch':
      return call((signal) => target.switch(step.to, signal));
    case 'drain':
      return call((signal) => target.drain(step.side, signal, withinMs));
    case 'reach':
      return journal.reach(stage, step.toNew);
    case 'watch':
      return watchStage(step, stage, within);
  }
}

/** Throws StepFailed if a check does not pass. */
export async function passGate(name: GateName, gate: Gate, attendance: Attendance): Promise<void> {
  const { ok, reason } = await attendance.during(gateMs, (signal) => gate(name, signal));
  if (!ok) throw new StepFailed(`the ${name}-deployment checks failed: ${reason}`);
}

/** A front that does not answer for a while is asked again until the time is over. */
async function awaitHosts(
  within: Surroundings,
  side: Side,
  isEnough: (report: SideReport) => boolean,
): Promise<void> {
  const { options, attendance } = within;
  const until = attendance.clock.now() + options.readyMs;
  for (;;) {
    const report = await observed(within);
    if (typeof report !== 'string' && isEnough(report[side])) return;
    if (attendance.clock.now() >= until) {
      const state = typeof report === 'string' ? report : `${report[side].ready} ready`;
      throw new StepFailed(`${state} after ${Math.round(options.readyMs / 1_000)} s`);
    }
    await attendance.wait(pollMs);
  }
}
