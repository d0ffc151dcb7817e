import { originFault } from '../../contracts/origin-fault.js';
import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import { isKebabCase, maxNameLength } from '../../contracts/kebab-case.js';
import { Command, type Event, type MessageClass } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Later, Reaction, Sent } from '../../contracts/reaction.js';
import type { EndedTimer, SetTimer } from '../../contracts/unit-lists.js';
import type { LogEntry } from '../../runtime/log/log-entry.js';
import { namedUuid } from '../../runtime/lang/named-uuid.js';
import { commandTimer, commandTimerId, type TimerCause } from '../../runtime/timers/command-timer.js';
import { type CursorWork, isImported, type StageCommand, type StepAdditions } from '../steps/cursor-work.js';
import { keyFault } from '../steps/key-fault.js';
import { isRefusal, Unhandled } from '../steps/step-errors.js';

const maxSent = 100;
const defaultAttempts = 8;

/** Runs `react` for every event, and what it returns. */
export function reactionWork(reaction: Reaction): CursorWork {
  mustBeValid(reaction);
  return {
    name: reaction.name,
    kind: 'reaction',
    events: reaction.events,
    origin: reaction.origin,
    passesImported: reaction.imported !== 'react',
    start: reaction.from === 'start' ? 'beginning' : 'head',
    attempts: reaction.attempts ?? defaultAttempts,
    after: reaction.after ?? [],
    keyOf: ({ event }) => keyOf(reaction, event),
    isKeyedByStream: reaction.key === undefined && !reaction.events.some(isSystemMessage),
    skips: (entry) => reaction.imported !== 'react' && isImported(entry),
    handle: async (entry, stage, refusal) => {
      if (entry.fault !== undefined) throw entry.fault;
      const { event } = entry;
      const returned = ownCode(() => {
        keyOf(reaction, event);
        return refusal === undefined ? reaction.react(event) : refused(reaction, event, refusal);
      });
      return send(reaction, entry, returned, stage);
    },
  };
}

/** Only a receptor refuses: a problem of the reaction itself must not reach its `refused`. */
function ownCode<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw isRefusal(error) ? new Unhandled(error) : error;
  }
}

/** What has no key now has none the next time. */
function keyOf(reaction: Reaction, event: StoredEvent<Event>): string {
  if (reaction.key === undefined) return event.streamId;
  const key = reaction.key(event);
  const fault = keyFault(key);
  if (fault === undefined) return key;
  throw new Unhandled(`The reaction ${reaction.name} has no key for ${event.messageType}: ${fault}.`);
}

function refused(
  reaction: Reaction,
  event: StoredEvent<Event>,
  refusal: Problem,
): ReturnType<Reaction['react']> {
  if (reaction.refused === undefined) throw new Unhandled(refusal);
  return reaction.refused(event, refusal);
}

/** All commands, or none: the step is thrown away when one fails. */
async function send(
  reaction: Reaction,
  { event, key }: LogEntry,
  returned: ReturnType<Reaction['react']>,
  stage: StageCommand,
): Promise<StepAdditions | undefined> {
  const list = sentOf(returned);
  if (list.length === 0) return undefined;
  if (list.length > maxSent)
    throw new Unhandled(`${reaction.name} returned ${list.length} commands; at most ${maxSent} are sent.`);
  const cause: TimerCause = {
    causationId: event.messageId,
    correlationId: event.correlationId ?? event.messageId,
    scope: event.scope,
    traceparent: event.traceparent,
    depth: event.depth ?? 0,
  };
  const timers: SetTimer[] = [];
  const ended: EndedTimer[] = [];
  for (const [index, sent] of list.entries()) {
    if (sent instanceof Command) await stage(sent);
    else if (sent.kind === 'later')
      timers.push(
        timerOf(sent, cause, () =>
          namedUuid('later', key.store, event.messageId, reaction.name, String(index)),
        ),
      );
    else ended.push({ id: ownCode(() => commandTimerId(sent.name, sent.key, cause.scope)) });
  }
  return { lists: { timers, ended } };
}

const timerOf = ({ command, options }: Later, cause: TimerCause, id: () => string): SetTimer =>
  ownCode(() => commandTimer(command, options, cause, id));

function sentOf(returned: unknown): readonly Sent[] {
  if (returned === undefined || returned === null) return [];
  const list: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
  for (const one of list)
    if (!isSent(one))
      throw new Unhandled('A reaction returns commands, later(…) and unschedule(…), and nothing else.');
  return list as readonly Sent[];
}

function isSent(value: unknown): value is Sent {
  if (value instanceof Command) return true;
  const { kind, command, options } = (value ?? {}) as Partial<Later>;
  if (kind !== 'later') return (kind as unknown) === 'unschedule';
  return command instanceof Command && typeof options === 'object' && options !== null;
}

function mustBeValid(reaction: Reaction): void {
  const { name, events, attempts = defaultAttempts } = reaction;
  if (!isKebabCase(name))
    throw invalid(
      `The reaction '${String(name).slice(0, 80)}' needs a name in kebab-case of at most ${maxNameLength} characters, such as reserve-stock.`,
    );
  if (events.length === 0) throw invalid(`The reaction ${name} names no events; without any it never runs.`);
  if (!Number.isSafeInteger(attempts) || attempts < 1)
    throw invalid(`The reaction ${name} needs attempts that are a whole number of at least 1.`);
  const fault = originFault(reaction);
  if (fault !== undefined) throw invalid(`The reaction ${name} ${fault}.`);
  const audits = events.filter((event: MessageClass) => event === EventAudited || event === CommandAudited);
  if (audits.length > 0)
    throw invalid(
      `The reaction ${name} would cause what it reacts to; remove ${audits.map((one) => one.name).join(', ')} from its events.`,
    );
}

const invalid = (detail: string): Problem => new Problem('invalid-setup', { detail });
