import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Long, Timestamp } from '../../contracts/scalars.js';
import { firstStep, type MachineEvent, type Macrostep, nextStep } from './macrostep.js';
import type { PendingTimers } from './pending-timers.js';
import { stateText } from './state-text.js';

const maxRounds = 16;
const maxCommands = 100;

/** When a step happens, and the event of the log that causes it; a timer has no position. */
export interface StepPlace {
  readonly at: Timestamp;
  readonly position?: Long;
}

/** One event that a process took. */
export interface TrailEntry extends StepPlace {
  readonly event: string;
  /** Null: the event started it. */
  readonly from: string | null;
  readonly to: string;
  /** The types of the commands. */
  readonly sent?: readonly string[];
}

/** Runs the receptor of a command in the unit of the step; resolves to its refusal, if it refuses. */
export type Stage = (command: Command) => Promise<Problem | undefined>;

/** The machine of one instance during one step. */
export class ProcessRun {
  readonly trail: TrailEntry[] = [];
  #waiting: Command[] = [];

  constructor(
    private readonly machine: AnyStateMachine,
    private readonly timers: PendingTimers,
    private readonly place: StepPlace,
    private now?: AnyMachineSnapshot,
  ) {}

  start(input: MachineEvent): void {
    this.#take(input, firstStep(this.machine, input));
  }

  /** False: the machine ignores the event in its present state. */
  take(event: MachineEvent): boolean {
    const before = this.snapshot;
    const next = nextStep(this.machine, before, event);
    // XState ends a machine that has no onError for an actor that failed.
    if (next.snapshot.status === 'error') throw unhandled(event, before);
    if (next.snapshot === before && next.effects.length === 0) return false;
    this.#take(event, next);
    return true;
  }

  /** Stages what the machine sends, and lets it take the refusals, until it sends nothing more. */
  async settle(stage: Stage): Promise<void> {
    let sent = 0;
    for (let round = 0; this.#waiting.length > 0; round++) {
      const commands = this.#waiting;
      this.#waiting = [];
      sent += commands.length;
      if (round === maxRounds) throw tooLong(`more than ${maxRounds} rounds of refused commands`);
      if (sent > maxCommands) throw tooLong(`more than ${maxCommands} commands`);
      const refusals: Refusal[] = [];
      for (const command of commands) {
        const problem = await stage(command);
        if (problem !== undefined) refusals.push(this.#refusalOf(command, problem));
      }
      for (const refusal of refusals) this.take(refusal);
    }
  }

  get snapshot(): AnyMachineSnapshot {
    if (this.now === undefined)
      throw new Problem('process-invalid', { detail: 'The process was not started.' });
    return this.now;
  }

  #take(event: MachineEvent, { snapshot, effects }: Macrostep): void {
    const from = this.now === undefined ? null : stateText(this.now);
    const commands: Command[] = [];
    for (const effect of effects) {
      if (effect.do === 'send') commands.push(effect.command);
      else if (effect.do === 'cancel') this.timers.cancel(effect.sendId);
      else if (effect.do === 'invoke') this.timers.invoke(effect.id, effect.command);
      else if (effect.do === 'stop') this.timers.stop(effect.id);
      else this.timers.set(effect.sendId, effect.event, effect.inMs);
    }
    this.now = snapshot;
    if (snapshot.status === 'done') this.timers.cancelAll();
    this.#waiting.push(...commands);
    const sent = commands.map((command) => command.constructor.name);
    this.trail.push({
      ...this.place,
      event: event.type,
      from,
      to: stateText(snapshot),
      ...(sent.length > 0 ? { sent } : {}),
    });
  }

  /** Must be taken by the state that sent the command: otherwise the process would wait forever. */
  #refusalOf(command: Command, { code, detail }: Problem): Refusal {
    const name = command.constructor.name;
    const problem = detail === undefined ? { code } : { code, detail };
    const refusal = { type: `${name}.refused`, problem, command };
    const isTaken =
      this.snapshot.status === 'active' && this.machine.getTransitionData(this.snapshot, refusal).length > 0;
    if (isTaken) return refusal;
    throw new Problem('process-refused', {
      detail: `${name} was refused (${code}), and the state ${stateText(this.snapshot)} has no transition for ${refusal.type}.`,
    });
  }
}

const unhandled = ({ type }: MachineEvent, before: AnyMachineSnapshot): Problem =>
  new Problem('process-refused', { detail: `The state ${stateText(before)} has no onError for ${type}.` });

interface Refusal extends MachineEvent {
  readonly problem: { readonly code: string; readonly detail?: string };
  readonly command: Command;
}

const tooLong = (what: string): Problem =>
  new Problem('process-too-long', { detail: `One step of the process takes ${what}.` });
