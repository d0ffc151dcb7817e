import { deepStrictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, type Event, type MessageClass } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction, Sent } from '../../contracts/reaction.js';
import { storedEvent } from './stored-event.js';

export interface GivenReaction<TEvent extends Event> {
  /** The event happens. */
  when(event: TEvent | StoredEvent<TEvent>): WhenReaction;
  /** A receptor refuses what the reaction has sent because of the event. */
  whenRefused(event: TEvent | StoredEvent<TEvent>, code: string): WhenReaction;
}

/** Every expectation runs the reaction twice: what it returns must not depend on the time, or on new ids. */
export interface WhenReaction {
  /** Exactly this is sent, in this order; `later(…)` and `unschedule(…)` too. */
  thenSends(...expected: readonly Sent[]): Promise<void>;
  thenNothing(): Promise<void>;
}

type Answer = Sent | readonly Sent[] | void;

/** Tests a reaction without a server: `given(reaction).when(created).thenSends(ReserveStock.of({ … }))`. */
export function givenReaction<TEvent extends Event>(reaction: Reaction<TEvent>): GivenReaction<TEvent> {
  const when = (event: TEvent | StoredEvent<TEvent>, answer: (stored: StoredEvent<TEvent>) => Answer) => {
    const stored = storedEvent(event) as StoredEvent<TEvent>;
    const mustSend = async (expected: readonly Sent[]): Promise<void> => {
      mustReach(`reaction ${reaction.name}`, reaction.events, stored);
      const sent = await sentTwice(reaction.name, () => listOf(answer(stored)));
      deepStrictEqual(sent.map(describedSent), expected.map(describedSent));
    };
    return {
      thenSends: (...expected: readonly Sent[]) => mustSend(expected),
      thenNothing: () => mustSend([]),
    };
  };
  return {
    when: (event) => when(event, (stored) => reaction.react(stored)),
    whenRefused: (event, code) =>
      when(event, (stored) => {
        if (reaction.refused !== undefined)
          return reaction.refused(stored, new Problem(code, { status: 409 }));
        throw new Problem('invalid-setup', {
          detail: `The reaction ${reaction.name} has no refused(): a refused command parks its key.`,
        });
      }),
  };
}

/** Otherwise a test would pass although the event is not among those that the class names. */
export function mustReach(what: string, events: readonly MessageClass[], { messageType }: StoredEvent): void {
  if (events.some((type) => type.name === messageType)) return;
  throw new Problem('invalid-setup', {
    detail: `The ${what} never gets ${messageType}: add it to its events.`,
  });
}

async function sentTwice(name: string, run: () => readonly Sent[]): Promise<readonly Sent[]> {
  const first = run();
  await nextMillisecond();
  if (isDeepStrictEqual(first.map(describedSent), run().map(describedSent))) return first;
  throw new Problem('invalid-setup', {
    detail: `The reaction ${name} sends other commands when it runs again: it must not read the clock or make ids.`,
  });
}

/** So that what reads the clock shows. */
export async function nextMillisecond(): Promise<void> {
  for (const before = Date.now(); Date.now() === before;) await new Promise(setImmediate);
}

const listOf = (answer: Answer): readonly Sent[] =>
  answer === undefined ? [] : Array.isArray(answer) ? (answer as readonly Sent[]) : [answer as Sent];

/** What is sent, as data that can be compared. */
export function describedSent(sent: Sent): unknown {
  if (sent instanceof Command) return describedCommand(sent);
  return sent.kind === 'later' ? { ...sent, command: describedCommand(sent.command) } : sent;
}

/** A command as it is sent: its type and plain JSON data. */
export const describedCommand = (command: Command): unknown => ({
  type: command.constructor.name,
  payload: JSON.parse(JSON.stringify(command)) as unknown,
});
