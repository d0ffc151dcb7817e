import type { AnyDecider } from '../../contracts/decider.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { freezePlain } from '../lang/plain-state.js';

/** The state of a stream up to a position. */
export interface HeldState {
  readonly state: unknown;
  /** Of the last event in it; 0: none. */
  readonly position: Long;
  /** The id of that event: a store that went back may have another one there. */
  readonly eventId: Uuid | undefined;
  /** Whether it is made from values that belong to subjects. */
  readonly isSealed: boolean;
  /** Whether all its events are stored; others are staged in the unit of a command. */
  readonly isStored: boolean;
  /** The position at which the state was last kept; 0: never. */
  readonly keptAt: Long;
  /** How often subjects had been forgotten when reading began: a later one may have values in it. */
  readonly forgets: number;
}

export interface EvolveOptions {
  /** Whether a state that is changed in place is refused, as in development. */
  readonly freezes: boolean;
  /** Whether events of a type have values that belong to subjects. */
  isSealed(type: string): boolean;
  /** How often subjects have been forgotten. */
  readonly forgets: number;
}

/** The state of a stream without events. */
export function initialState(decider: AnyDecider, options: EvolveOptions): HeldState {
  const { forgets } = options;
  const state = checked(decider, decider.initial(), 'initial', options);
  return { state, position: 0, eventId: undefined, isSealed: false, isStored: true, keptAt: 0, forgets };
}

/** The state after more events of its stream. */
export function evolve(
  decider: AnyDecider,
  from: HeldState,
  events: readonly StoredEvent[],
  options: EvolveOptions,
  /** Or will be, before anything relies on it. */
  areStored = (events.at(-1)?.globalPosition ?? 0) > 0,
): HeldState {
  const last = events.at(-1);
  if (last === undefined) return from;
  return {
    ...from,
    state: events.reduce((state, event) => next(decider, state, event, options), from.state),
    position: last.streamPosition,
    eventId: last.messageId,
    isSealed: from.isSealed || events.some(({ messageType }) => options.isSealed(messageType)),
    isStored: from.isStored && areStored,
  };
}

function next(decider: AnyDecider, state: unknown, event: StoredEvent, options: EvolveOptions): unknown {
  const step = `evolve for ${event.messageType}`;
  try {
    return checked(decider, decider.evolve(state as never, event as never), step, options);
  } catch (cause) {
    if (cause instanceof Problem && cause.code === 'invalid-decider') throw cause;
    throw (
      changedInPlace(decider, cause, step) ??
      broken(
        decider,
        `${step} failed at position ${event.streamPosition} of stream ${event.streamId}.`,
        cause,
      )
    );
  }
}

function checked(decider: AnyDecider, state: unknown, step: string, { freezes }: EvolveOptions): unknown {
  if (state === undefined)
    throw broken(decider, `${step} returned nothing; return the state as it is when nothing changes.`);
  const fault = freezes ? freezePlain(state) : undefined;
  if (fault === undefined) return state;
  throw broken(decider, `${step} returned a state with something at ${fault} that is not plain JSON data.`);
}

/** The problem of code that changed a frozen state; undefined for any other error. */
export function changedInPlace(decider: AnyDecider, error: unknown, step: string): Problem | undefined {
  if (!(error instanceof TypeError) || !frozenMessage.test(error.message)) return undefined;
  return broken(decider, `${step} changed the state in place; return a new state instead.`, error);
}

const frozenMessage =
  /read only property|object is not extensible|Cannot delete property|Cannot redefine property/;

export const broken = ({ name }: AnyDecider, what: string, cause?: unknown): Problem =>
  new Problem('invalid-decider', { detail: `Decider ${name}: ${what}`, cause });
