import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { until } from '../../runtime/kit/until.js';
import { LocalDispatcher } from '../commands/dispatcher.js';

export class Book extends Command {
  declare account: string;
  declare amount: number;
}
export class Booked extends Event {
  declare amount: number;
}

type Bank = ReturnType<typeof bank>;
type Handle = (command: Book, work: UnitOfWork, dispatcher: LocalDispatcher) => Promise<unknown>;

export const balanceOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { payload }) => sum + (payload as Booked).amount, 0);

export const booking: Handle = async ({ account, amount }, work) => {
  const balance = balanceOf(await collect(work.read(account)));
  if (balance + amount < 0) throw new Problem('overdrawn', { status: 409 });
  work.append(account, Booked.of({ amount }));
  return balance + amount;
};

/** A store whose commits wait while it is closed. */
function heldStore() {
  const inner = new InMemoryEventStore();
  const waiting: (() => void)[] = [];
  const units: Unit[] = [];
  let isOpen = true;
  const store: UnitStore = {
    upcasters: inner.upcasters,
    append: inner.append.bind(inner),
    read: inner.read.bind(inner),
    readAll: inner.readAll.bind(inner),
    lastPosition: inner.lastPosition.bind(inner),
    commit: async (unit, signal) => {
      units.push(unit);
      if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
      await inner.commit(unit, signal);
    },
  };
  const close = (): boolean => (isOpen = false);
  const open = (): void => {
    isOpen = true;
    for (const go of waiting.splice(0)) go();
  };
  return { inner, store, units, waiting, close, open };
}

/** A bank whose commits wait until they are let through. */
export function bank(
  handle: Handle = booking,
  receptor: Partial<Receptor<Book, unknown>> = { retryOnConflict: 3 },
) {
  const { inner, store, units, waiting, close, open } = heldStore();
  const dispatcher = new LocalDispatcher({ store });
  let runs = 0;
  const own: Receptor<Book, unknown> = {
    key: ({ account: key }) => key,
    ...receptor,
    handle: (command, work) => {
      runs++;
      return handle(command, work, dispatcher);
    },
  };
  dispatcher.register([{ command: Book, receptor: own }]);
  const account = newUuid();
  return {
    account,
    dispatcher,
    inner,
    units,
    waiting,
    get runs() {
      return runs;
    },
    close,
    open,
    book: (amount: number, signal?: AbortSignal) =>
      dispatcher.localInvoke<number>(Book.of({ account, amount }), signal),
    amounts: async () =>
      (await collect(inner.read(account))).map(({ payload }) => (payload as Booked).amount),
  };
}

/** Queues commands behind one that is being committed. */
export async function queue(some: Bank, ...amounts: readonly number[]) {
  await some.book(100);
  some.close();
  const before = some.runs;
  const answers = amounts.map((amount) => some.book(amount));
  for (const answer of answers) answer.catch(() => undefined);
  await until(() => some.runs === before + amounts.length);
  return answers;
}
