import type { AnyDecider } from '../../contracts/decider.js';
import { type Command, Event } from '../../contracts/message.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import { isUuid, type Uuid } from '../../contracts/scalars.js';
import { collected } from '../unit/collected.js';
import { asStored, type DecidedState, StagedBase } from '../unit/staged-base.js';
import { isThenable } from '../lang/thenable.js';
import type { DeciderStates, StateSource } from './decider-states.js';
import { broken, changedInPlace, evolve, type HeldState, initialState } from './evolve.js';

/** A command of a decider, and what it is decided with. */
interface DecidedCommand {
  readonly decider: AnyDecider;
  /** The name of the command among those of the decider. */
  readonly name: string;
  readonly command: Command;
  readonly streamId: Uuid;
  /** Absent: it returns nothing. */
  readonly resultName?: string | undefined;
}

type Attempt =
  | { readonly events: readonly Event[]; readonly result: unknown }
  | { readonly events: readonly []; readonly error: unknown };

/**
 * Decides a command and stages its events; returns its result. A cached state is used without reading: the commit checks
 * its position. The commit checks nothing of a refusal, so that one needs a state that was just read.
 */
export function decide(decided: DecidedCommand, work: DecidingWork, states: DeciderStates): unknown {
  const { decider, streamId } = decided;
  const staged = stagedState(decided, work);
  if (staged !== undefined) {
    states.counts.cache++;
    return settle(decided, attemptWith(decided, staged, work), staged, work, states);
  }
  const known = states.cached(decider, streamId);
  if (known?.isSure !== true || work.isRepeated === true || hasStaged(work, streamId))
    return decideAfterReading(decided, work, states, known?.held);
  states.counts.cache++;
  const attempt = attemptWith(decided, known.held, work);
  if (attempt.events.length === 0) return decideAfterReading(decided, work, states, known.held, attempt);
  return settle(decided, attempt, known.held, work, states);
}

/** What the runtime's own unit of work knows beyond the contract. */
interface DecidingWork extends UnitOfWork {
  stagedFor?(streamId: Uuid): number;
  readonly earlier?: object | undefined;
  readonly isRepeated?: boolean;
  decided?: DecidedState | undefined;
}

const hasStaged = (work: DecidingWork, streamId: Uuid): boolean => (work.stagedFor?.(streamId) ?? 0) > 0;

/** The state after the commands before this one, which are committed before it is answered. */
function stagedState(
  { decider, streamId }: DecidedCommand,
  { earlier }: DecidingWork,
): HeldState | undefined {
  return earlier instanceof StagedBase
    ? (earlier.heldBy(decider, streamId) as HeldState | undefined)
    : undefined;
}

async function decideAfterReading(
  decided: DecidedCommand,
  work: DecidingWork,
  states: DeciderStates,
  known: HeldState | undefined,
  earlier?: Attempt,
): Promise<unknown> {
  const { held, source } = await read(decided, work, states, known);
  if (earlier === undefined) states.counts[source]++;
  const hasMoved = held.position !== known?.position || held.eventId !== known.eventId;
  const attempt = earlier === undefined || hasMoved ? attemptWith(decided, held, work) : earlier;
  return settle(decided, attempt, held, work, states);
}

/** The newest state of the stream: the known or kept one and all later events. */
async function read(
  { decider, streamId }: DecidedCommand,
  work: DecidingWork,
  states: DeciderStates,
  known: HeldState | undefined,
): Promise<{ readonly held: HeldState; readonly source: StateSource }> {
  const from = known ?? (await states.kept(decider, streamId));
  const on = from === undefined ? undefined : await readOn(decider, streamId, from, work, states);
  if (on === undefined) states.drop(decider, streamId);
  const held = states.read(decider, streamId, on ?? (await readAll(decider, streamId, work, states)));
  return { held, source: on === undefined ? 'stream' : known === undefined ? 'snapshot' : 'cache' };
}

/** Undefined where the stream has another event at the position of the state, or none. */
async function readOn(
  decider: AnyDecider,
  streamId: Uuid,
  from: HeldState,
  work: DecidingWork,
  states: DeciderStates,
): Promise<HeldState | undefined> {
  const [last, ...later] = await collected(work.read(streamId, { from: from.position }));
  if (last?.streamPosition !== from.position || last.messageId !== from.eventId) return undefined;
  return evolve(decider, from, later, states.evolving);
}

async function readAll(
  decider: AnyDecider,
  streamId: Uuid,
  work: DecidingWork,
  { evolving }: DeciderStates,
): Promise<HeldState> {
  const initial = initialState(decider, evolving);
  return evolve(decider, initial, await collected(work.read(streamId)), evolving);
}

function attemptWith(
  { decider, name, command }: DecidedCommand,
  { state }: HeldState,
  { context }: DecidingWork,
): Attempt {
  let decision: unknown;
  try {
    decision = decider.decide[name]?.(command as never, state as never, context);
  } catch (error) {
    return { events: [], error: changedInPlace(decider, error, `decide for ${name}`) ?? error };
  }
  return decisionOf(decision) ?? { events: [], error: broken(decider, notADecision(name, decision)) };
}

function decisionOf(decision: unknown): Attempt | undefined {
  const { events, result } = hasEvents(decision) ? decision : { events: decision, result: undefined };
  const list: readonly unknown[] = Array.isArray(events) ? events : [events];
  return list.every((event) => event instanceof Event) ? { events: list, result } : undefined;
}

const hasEvents = (decision: unknown): decision is { readonly events: unknown; readonly result: unknown } =>
  typeof decision === 'object' && decision !== null && !(decision instanceof Event) && 'events' in decision;

const notADecision = (name: string, decision: unknown): string =>
  isThenable(decision)
    ? `decide for ${name} returned a promise; it must decide from the state alone.`
    : `decide for ${name} must return events, [] for none, or { events, result }.`;

function settle(
  { decider, name, streamId, resultName }: DecidedCommand,
  attempt: Attempt,
  held: HeldState,
  work: DecidingWork,
  states: DeciderStates,
): unknown {
  if ('error' in attempt) throw attempt.error;
  const { events, result } = attempt;
  if (resultName !== undefined && result === undefined)
    throw broken(decider, `decide for ${name} must return { events, result } with a ${resultName}.`);
  if (events.length === 0) return result;
  const staged = work.append(streamId, events, { expectedPosition: held.position });
  let isGuessed = false;
  const asEvents = staged.map((event, index) =>
    asStored(event, held.position + index + 1, states.upcasters, () => (isGuessed = true)),
  );
  // An event that the decider cannot take would block the stream from then on.
  const next = evolve(decider, held, asEvents, states.evolving, true);
  const sure = isGuessed ? undefined : next;
  if (sure !== undefined) work.decided = { of: decider, streamId, held: sure };
  states.doubt(decider, streamId);
  work.defer(() => states.committed(decider, streamId, held, staged, sure));
  return result;
}

/** The stream of a command; commands of one stream have one queue. */
export function streamOf(decider: AnyDecider, name: string, command: Command): Uuid {
  const streamId: unknown = decider.stream(command as never);
  if (isUuid(streamId)) return streamId;
  throw broken(decider, `stream of ${name} must be a UUID.`);
}
