import type { AnyStateMachine } from 'xstate';
import type { StoredEvent } from '../../contracts/event-store.js';
import { ProcessEnded, ProcessStarted } from '../../contracts/events/process.js';
import { type Command, type SystemEvent, typeNameOf } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredProcess, StoredTimer } from '../../contracts/reaction-store.js';
import { durationOf, type Json, type Timestamp } from '../../contracts/scalars.js';
import type { EndedTimer, ProcessStep, SetTimer } from '../../contracts/unit-lists.js';
import type { KnownEffect } from '../../runtime/effects/known-effect.js';
import { storableText } from '../../runtime/lang/storable-text.js';
import type { MovedActor } from '../steps/moved-actor.js';
import { jsonFault } from './json-fault.js';
import { PendingTimers } from './pending-timers.js';
import type { Process, ProcessSnapshot } from './process.js';
import { ProcessRun, type Stage, type StepPlace, type TrailEntry } from './process-run.js';
import { orderedValue, stateText } from './state-text.js';
import { resume } from './take-over.js';

/** An instance of a process, and what moves it on. */
export interface StepInput {
  readonly process: Process;
  readonly key: string;
  readonly row: StoredProcess | undefined;
  readonly trigger: { readonly event: StoredEvent } | { readonly timer: StoredTimer };
  readonly stage: Stage;
  /** The effect that does a command. */
  readonly effectOf?: ((command: Command) => KnownEffect | undefined) | undefined;
  /** When the step happens, for the trail. */
  readonly at: Timestamp;
  /** Scope, correlation and causation for the timers that it sets. */
  readonly context: Json;
}

/** What a step adds to the lists of its unit. */
export interface StepLists {
  readonly timers: readonly SetTimer[];
  readonly ended: readonly EndedTimer[];
  readonly processes: readonly ProcessStep[];
}

export type StepOutcome =
  /** To be committed with the staged commands. */
  | {
      readonly kind: 'stepped';
      readonly lists: StepLists;
      readonly records: readonly SystemEvent[];
      readonly moved: MovedActor;
    }
  /** Nothing to do; the lists end the timer. */
  | { readonly kind: 'passed'; readonly reason: PassedReason; readonly lists: StepLists }
  /** The staged commands are thrown away, the lists are committed, and the key is parked. */
  | { readonly kind: 'parked'; readonly problem: Problem; readonly lists: StepLists }
  /** It belongs to a newer version, and is left to a host that has it. */
  | { readonly kind: 'newer-version' };

type PassedReason = 'not-started' | 'ended' | 'unmatched';

const trailLength = 50;
const maxSnapshotBytes = 65_536;

/**
 * One step of a process: the event, then the refusals of what it sends, until the machine rests. It changes nothing, so
 * that it may run again. What user code throws is thrown on, and so is what a receptor throws that is no refusal.
 */
export async function processStep(input: StepInput): Promise<StepOutcome> {
  const { process, row, trigger } = input;
  if (row !== undefined && row.version > process.version) return { kind: 'newer-version' };
  if (row?.status === 'ended') return passed('ended', trigger);
  try {
    // A process that was parked when it started has no snapshot.
    return row === undefined || row.snapshot === null ? await start(input) : await goOn(input, row);
  } catch (problem) {
    if (!(problem instanceof Problem && parking.has(problem.code))) throw problem;
    return { kind: 'parked', problem, lists: { ...none, processes: [parked(input, problem)] } };
  }
}

const parking: ReadonlySet<string> = new Set([
  'process-invalid',
  'process-refused',
  'process-too-large',
  'process-too-long',
  'process-version',
]);

async function start(input: StepInput): Promise<StepOutcome> {
  const { process, key, trigger, context, at, effectOf } = input;
  if (!('event' in trigger) || !isStartedBy(process, trigger.event)) return passed('not-started', trigger);
  const timers = new PendingTimers({ name: process.name, key, context, effectOf });
  const run = new ProcessRun(process.machine, timers, placeOf(input));
  run.start(happened(trigger.event));
  const started = new ProcessStarted({
    processName: process.name,
    key,
    version: process.version,
    timestamp: at,
  });
  return settled(input, run, timers, process.version, [started]);
}

async function goOn(input: StepInput, row: StoredProcess): Promise<StepOutcome> {
  const { process, key, trigger, context, effectOf } = input;
  const { machine, version, snapshot, stored } = resume(process, row);
  const before = row.snapshot as unknown as ProcessSnapshot;
  const timers = new PendingTimers({ name: process.name, key, context, effectOf }, stored, before);
  const run = new ProcessRun(machine, timers, placeOf(input), snapshot);
  const isTimer = 'timer' in trigger;
  const isTaken = run.take(isTimer ? timers.fire(trigger.timer) : happened(trigger.event));
  if (!isTaken && !isTimer && stored === before && row.status === 'running') {
    return passed('unmatched', trigger);
  }
  return settled(input, run, timers, version, []);
}

async function settled(
  input: StepInput,
  run: ProcessRun,
  timers: PendingTimers,
  version: number,
  started: readonly SystemEvent[],
): Promise<StepOutcome> {
  const { process, key, row, at } = input;
  await run.settle(input.stage);
  const state = stateText(run.snapshot);
  const hasEnded = run.snapshot.status === 'done';
  const step: ProcessStep = {
    name: process.name,
    key,
    tenant: tenantOf(input),
    revision: row?.revision ?? 0,
    version,
    state,
    status: hasEnded ? 'ended' : 'running',
    snapshot: storable(run, timers),
    trail: [...trailOf(row), ...run.trail].slice(-trailLength) as unknown as Json,
  };
  const duration = durationOf(Date.parse(at) - Date.parse(row?.startedAt ?? at));
  const ended = { processName: process.name, key, version, outcome: state, duration, timestamp: at };
  return {
    kind: 'stepped',
    lists: { timers: timers.timers, ended: timers.ended, processes: [step] },
    records: hasEnded ? [...started, new ProcessEnded(ended)] : started,
    moved: {
      name: process.name,
      key,
      steps: run.trail,
      hasEnded,
      machine: run.snapshot.machine as AnyStateMachine,
    },
  };
}

/** Refused here, not when it is restored. */
function storable({ snapshot }: ProcessRun, timers: PendingTimers): Json {
  const fault = jsonFault(snapshot.context, 'context');
  if (fault !== undefined) {
    throw new Problem('process-invalid', { detail: `The context of a process must be JSON, but ${fault}.` });
  }
  const child = Object.keys(snapshot.children).find(
    (id) => timers.stored.effects?.[id] === undefined && !isInvoked(snapshot, id),
  );
  if (child !== undefined) {
    throw new Problem('process-invalid', {
      detail: `The actor ${child} would not survive a restart: a process only sends commands.`,
    });
  }
  const value = orderedValue(snapshot);
  const { context, historyValue } = snapshot.machine.getPersistedSnapshot(
    snapshot,
  ) as unknown as ProcessSnapshot;
  const stored: ProcessSnapshot = { value, context, historyValue, ...timers.stored };
  const text = storableText(JSON.stringify(stored));
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxSnapshotBytes) return JSON.parse(text) as Json;
  throw new Problem('process-too-large', {
    detail: `The context of a process may take 64 KiB, but its snapshot takes ${bytes} bytes: store ids instead of objects.`,
  });
}

/** The state has taken the outcome without leaving. */
const isInvoked = ({ machine }: ProcessRun['snapshot'], id: string): boolean =>
  (machine.events as readonly string[]).includes(`xstate.done.actor.${id}`);

function parked(input: StepInput, { code, message }: Problem): ProcessStep {
  const { process, key, row } = input;
  const { revision = 0, version = process.version, state = '', snapshot = null, trail = [] } = row ?? {};
  const error = `${code}: ${message}`;
  const instance = { name: process.name, key, tenant: tenantOf(input) };
  return { ...instance, revision, version, state, status: 'parked', snapshot, trail, error };
}

const none: StepLists = { timers: [], ended: [], processes: [] };

/** A timer that fires is ended, even if nobody waits for it. */
const passed = (reason: PassedReason, trigger: StepInput['trigger']): StepOutcome => ({
  kind: 'passed',
  reason,
  lists:
    'timer' in trigger ? { ...none, ended: [{ id: trigger.timer.id, firedAt: trigger.timer.dueAt }] } : none,
});

const placeOf = ({ trigger, at }: StepInput): StepPlace =>
  'event' in trigger ? { at, position: trigger.event.globalPosition } : { at };

const happened = (event: StoredEvent) => ({ type: event.messageType, data: event.payload, event });

/** An instance is of the tenant whose event starts it; later steps do not change that. */
const tenantOf = ({ row, trigger }: StepInput): string | undefined =>
  row === undefined && 'event' in trigger ? (trigger.event.scope?.['tenantId'] ?? undefined) : undefined;

const isStartedBy = ({ starts }: Process, { messageType }: StoredEvent): boolean =>
  starts.some((type) => typeNameOf(type) === messageType);

const trailOf = (row: StoredProcess | undefined): readonly TrailEntry[] =>
  Array.isArray(row?.trail) ? row.trail : [];
