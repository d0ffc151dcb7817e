import type { Event } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { Json, Uuid } from '../../contracts/scalars.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import { namedUuid } from '../lang/named-uuid.js';
import { type TimerCause, timerContext } from '../timers/command-timer.js';

/** The instance of a process that waits for an effect, and the id of its invoke. */
export interface Invoked {
  readonly process: string;
  readonly key: string;
  readonly id: string;
}

/** The timer that wakes the instance: leaving the state ends it. */
export const outcomeTimerId = (requestId: Uuid): Uuid => namedUuid('invoked', requestId);

/** What the commit of an outcome sets where a process waits for it; undefined: none does. */
export function outcomeTimer(
  { id: requestId, context }: { readonly id: Uuid; readonly context: Json },
  outcome: readonly Event[] | Problem,
): SetTimer | undefined {
  const { invoke } = context as { readonly invoke?: Invoked };
  if (invoke === undefined) return undefined;
  const { process: name, key, id } = invoke;
  return {
    id: outcomeTimerId(requestId),
    kind: 'process',
    name,
    key,
    due: { inMs: 0 },
    again: 'replace',
    data: JSON.parse(
      JSON.stringify({ sendId: `invoke ${id}`, invoke: id, event: eventOf(id, outcome) }),
    ) as Json,
    context: timerContext(context as unknown as TimerCause),
  };
}

const eventOf = (id: string, outcome: readonly Event[] | Problem): object =>
  outcome instanceof Error
    ? { type: `xstate.error.actor.${id}`, actorId: id, error: { code: outcome.code, detail: outcome.detail } }
    : { type: `xstate.done.actor.${id}`, actorId: id, output: outcome.length > 1 ? outcome : outcome[0] };
