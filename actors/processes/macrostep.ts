import {
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  createMachine,
} from 'xstate';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { ProcessSnapshot } from './process.js';

/** An event of a machine. */
export interface MachineEvent {
  readonly type: string;
}

/** What a machine asks for in one step, in order. */
type Effect =
  | { readonly do: 'send'; readonly command: Command }
  | {
      readonly do: 'set';
      readonly sendId: string | undefined;
      readonly event: MachineEvent;
      readonly inMs: number;
    }
  | { readonly do: 'cancel'; readonly sendId: string }
  /** Asks for an effect; leaving the state takes that back. */
  | { readonly do: 'invoke'; readonly id: string; readonly command: Command }
  | { readonly do: 'stop'; readonly id: string };

export interface Macrostep {
  readonly snapshot: AnyMachineSnapshot;
  readonly effects: readonly Effect[];
}

/** Ten years. */
const longestDelayMs = 3652 * 86_400_000;

/**
 * XState wants an actor around a machine. One that never starts does for all: `transition(machine, …)` would build one
 * per call, and call the user's `context` without its input.
 */
const inert = createActor(createMachine({}));

export function firstStep(machine: AnyStateMachine, input: MachineEvent): Macrostep {
  return collecting((scope) => {
    const snapshot = machine.getInitialSnapshot(scope, input) as AnyMachineSnapshot;
    // XState keeps what was thrown in the snapshot.
    if (snapshot.status === 'error') throw snapshot.error;
    return snapshot;
  });
}

export const nextStep = (
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: MachineEvent,
): Macrostep => collecting((scope) => machine.transition(snapshot, event, scope) as AnyMachineSnapshot);

/** Throws when a state of the snapshot is not one of the machine. */
export function restored(
  machine: AnyStateMachine,
  persisted: object,
  invoked: ProcessSnapshot['effects'] = {},
): AnyMachineSnapshot {
  const active = { status: 'active', output: undefined, error: undefined } as const;
  const children = Object.fromEntries(
    Object.entries(invoked).map(([id, { type: src }]) => [
      id,
      { src, snapshot: active, syncSnapshot: false },
    ]),
  );
  const snapshot = { ...persisted, ...active, children };
  return machine.restoreSnapshot(
    snapshot,
    scopeWith(() => undefined),
  ) as AnyMachineSnapshot;
}

function collecting(run: (scope: AnyActorScope) => AnyMachineSnapshot): Macrostep {
  const effects: Effect[] = [];
  const scope = scopeWith((action) => {
    const effect = effectOf(action.type, action.params);
    if (effect !== undefined) effects.push(effect);
  });
  try {
    return { snapshot: run(scope), effects };
  } catch (error) {
    // XState has no type for it.
    if (error instanceof Error && error.message.startsWith('Infinite loop')) {
      throw new Problem('process-too-long', {
        detail: `The machine does not come to rest: ${error.message.replace(/ without reaching.*/s, '.')}`,
        cause: error,
      });
    }
    throw error;
  }
}

const scopeWith = (actionExecutor: AnyActorScope['actionExecutor']): AnyActorScope => ({
  self: inert,
  id: inert.id,
  sessionId: inert.sessionId,
  system: inert.system,
  logger: () => undefined,
  defer: () => undefined,
  emit: () => undefined,
  stopChild: () => undefined,
  actionExecutor,
});

function effectOf(type: string, params: unknown): Effect | undefined {
  if (type === 'send') {
    if (params instanceof Command) return { do: 'send', command: params };
    throw invalid(
      'The action send must be given a command: { type: "send", params: () => CancelOrder.of({ … }) }.',
    );
  }
  if (type === 'xstate.cancel')
    return { do: 'cancel', sendId: (params as { readonly sendId: string }).sendId };
  if (type === 'xstate.spawnChild') return invokeOf(params as Spawned);
  if (type === 'xstate.stopChild') return { do: 'stop', id: (params as Spawned | undefined)?.id ?? '' };
  if (type === 'xstate.raise') return raiseOf(params as Raise);
  // Inside of enqueueActions it is not seen before it runs.
  throw invalid(`The action ${type} cannot run in a process: it would run again when the step is retried.`);
}

interface Spawned {
  readonly id: string;
  readonly input?: unknown;
}

function invokeOf({ id, input }: Spawned): Effect {
  if (input instanceof Command) return { do: 'invoke', id, command: input };
  throw invalid('invoke needs a command as input: { src: "SendSms", input: () => SendSms.of({ … }) }.');
}

interface Raise {
  readonly event: MachineEvent;
  readonly id?: string;
  readonly delay?: number;
}

/** An event without a delay was taken within the step. */
function raiseOf({ event, id, delay }: Raise): Effect | undefined {
  if (delay === undefined) return undefined;
  if (delay <= longestDelayMs) return { do: 'set', sendId: id, event, inMs: Math.max(0, delay) };
  throw invalid(`The delay of ${event.type} must be a number of milliseconds up to 10 years, not ${delay}.`);
}

const invalid = (detail: string): Problem => new Problem('process-invalid', { detail });
