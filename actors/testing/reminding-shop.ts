import { Command, Event } from '../../contracts/message.js';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import type { TimerOptions } from '../../contracts/reaction.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Schedule } from '../../contracts/schedule.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { StagedLists } from '../../runtime/unit/staged-lists.js';
import { systemEnvelope } from '../../runtime/envelope/system-envelope.js';
import { collect } from '../../runtime/kit/collect.js';
import { fakeClock } from '../../runtime/kit/fake-clock.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { LocalDispatcher } from '../commands/dispatcher.js';
import { fireCommand } from '../due/fire-command.js';
import { fireSchedule, knownSchedules, parkOccurrence } from '../due/fire-schedule.js';
import { type FiringOutcome, fireTimer } from '../due/fire-timer.js';

export class Remind extends Command {
  declare orderId: string;
}
class SetReminder extends Command {
  declare options: TimerOptions;
}
export class Whisper extends Command {
  declare customerId: string;
  declare secret: string | null;
}
export class CloseBooks extends Command {
  declare day: string;
  declare missed: number;
}
export class Reminded extends Event {
  declare depth: number | undefined;
}

export const order = newUuid();
export const start = '2026-01-01T00:00:00.000Z';
export const minute = 60_000;

interface ShopOptions {
  readonly onRemind?: (work: UnitOfWork) => void | Promise<void>;
  readonly onWhisper?: (command: Whisper) => void;
  readonly onClose?: (command: CloseBooks) => void;
  readonly schedules?: readonly Schedule[];
}

/** A service with timers; its clock stands still. */
export function shop(options: ShopOptions = {}) {
  const clock = fakeClock(start);
  const store = new InMemoryEventStore({
    now: clock.now,
    sealed: [{ type: Whisper, fields: [{ path: ['secret'], subject: 'customerId', subjectIn: 'object' }] }],
  });
  const dispatcher = new LocalDispatcher({ store });
  const closed: unknown[] = [];
  dispatcher.register(receptorsOf(options, closed));
  const known = knownSchedules(options.schedules ?? []);
  const records: SystemMessage[] = [];
  const ports = portsOf(dispatcher, store, known, records);
  const due = async () => (await store.reactions.dueTimers([0, 1, 2, 3, 4, 5, 6, 7], 10)).due;
  const set = (...timers: SetTimer[]) => {
    const lists = new StagedLists();
    for (const timer of timers) lists.set(timer);
    return store.commit({ events: [], records: [], expected: new Map(), lists });
  };
  return {
    clock,
    store,
    dispatcher,
    records,
    closed,
    due,
    set,
    known,
    ports,
    remind: (timer: TimerOptions) => dispatcher.localInvoke(SetReminder.of({ options: timer })),
    /** Fires what is due, as one host does. */
    fireDue: async (): Promise<readonly FiringOutcome[]> => {
      const outcomes: FiringOutcome[] = [];
      for (const timer of await due()) outcomes.push(await fireTimer(timer, ports));
      return outcomes;
    },
    fire: (timer: StoredTimer) => fireTimer(timer, ports),
    events: () => collect(store.read(order)),
  };
}

function receptorsOf({ onRemind, onWhisper, onClose }: ShopOptions, closed: unknown[]) {
  const remind = async (_: Remind, work: UnitOfWork): Promise<void> => {
    await onRemind?.(work);
    work.append(order, new Reminded(), { expectedPosition: 'any' });
  };
  const setReminder = ({ options }: SetReminder, work: UnitOfWork): void =>
    work.schedule(Remind.of({ orderId: order }), options);
  const closeBooks = (command: CloseBooks): void => {
    onClose?.(command);
    closed.push([command.day, command.missed]);
  };
  return [
    { command: Remind, receptor: { handle: remind } },
    { command: SetReminder, receptor: { handle: setReminder } },
    { command: Whisper, receptor: { handle: (command: Whisper) => onWhisper?.(command) } },
    { command: CloseBooks, receptor: { handle: closeBooks } },
  ] as const;
}

function portsOf(
  dispatcher: LocalDispatcher,
  store: InMemoryEventStore,
  known: ReturnType<typeof knownSchedules>,
  records: SystemMessage[],
) {
  const recordOf = (event: SystemMessage): StagedRecord => {
    records.push(event);
    return { envelope: systemEnvelope(event, {}), publish: false };
  };
  return {
    dispatcher,
    store,
    fire: {
      command: fireCommand((name) => dispatcher.commandNamed(name)),
      schedule: fireSchedule(known, recordOf),
      process: () => Promise.reject(new Error('there is no process')),
    },
    parksApart: parkOccurrence(known, recordOf),
    recordOf,
    reactions: store.reactions,
    deadlineMs: 1_000,
    hidesErrors: (_: unknown, types: readonly string[]) => types.includes('Whisper'),
  };
}
