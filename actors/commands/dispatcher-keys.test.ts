import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { until } from '../../runtime/kit/until.js';
import { LocalDispatcher } from './dispatcher.js';

const test = suite('dispatcher: commands with a key');

class Book extends Command {
  declare account: string;
  declare amount: number;
}
class Booked extends Event {
  declare amount: number;
}

type Bank = ReturnType<typeof bank>;
type Handle = (command: Book, work: UnitOfWork, dispatcher: LocalDispatcher) => Promise<unknown>;

const balanceOf = (events: readonly StoredEvent[]): number =>
  events.reduce((sum, { payload }) => sum + (payload as Booked).amount, 0);

const booking: Handle = async ({ account, amount }, work) => {
  const balance = balanceOf(await collect(work.read(account)));
  if (balance + amount < 0) throw new Problem('overdrawn', { status: 409 });
  work.append(account, Booked.of({ amount }));
  return balance + amount;
};

/** A bank whose commits wait until they are let through. */
function bank(handle: Handle = booking, receptor: Partial<Receptor<Book, unknown>> = { retryOnConflict: 3 }) {
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
    close: () => (isOpen = false),
    open: () => {
      isOpen = true;
      for (const go of waiting.splice(0)) go();
    },
    book: (amount: number, signal?: AbortSignal) =>
      dispatcher.localInvoke<number>(Book.of({ account, amount }), signal),
    amounts: async () =>
      (await collect(inner.read(account))).map(({ payload }) => (payload as Booked).amount),
  };
}

/** Queues commands behind one that is being committed. */
async function queue(some: Bank, ...amounts: readonly number[]) {
  await some.book(100);
  some.close();
  const before = some.runs;
  const answers = amounts.map((amount) => some.book(amount));
  for (const answer of answers) answer.catch(() => undefined);
  await until(() => some.runs === before + amounts.length);
  return answers;
}

test('commands that queue are decided on those before them and share a commit', async () => {
  const one = bank();
  const answers = await queue(one, 1, 2, 3, 4);
  one.open();
  assert.equal(await Promise.all(answers), [101, 103, 106, 110]);
  assert.equal(await one.amounts(), [100, 1, 2, 3, 4]);
  assert.equal(
    one.units.map(({ events }) => events.length),
    [1, 1, 3],
  );
});

test('a command that reads on behind the stored end is decided on those before it, too', async () => {
  const one = bank(async ({ account, amount }, work) => {
    const later = balanceOf(await collect(work.read(account, { from: 2 })));
    work.append(account, Booked.of({ amount }));
    return later + amount;
  });
  const answers = await queue(one, 1, 2, 3, 4);
  one.open();
  assert.equal(await Promise.all(answers), [1, 3, 6, 10]);
  assert.equal([one.runs, one.units.map(({ events }) => events.length)], [5, [1, 1, 3]]);
});

test('a command that begins to read behind everything staged expects that end', async () => {
  const one = bank(async ({ account, amount }, work) => {
    const later = await collect(work.read(account, { from: 40 }));
    work.append(account, Booked.of({ amount }));
    return later.length;
  });
  const answers = await queue(one, 1, 2, 3, 4);
  one.open();
  assert.equal(await Promise.all(answers), [0, 0, 0, 0]);
  assert.equal([one.runs, one.units.map(({ events }) => events.length)], [5, [1, 1, 3]]);
});

test('no command is answered before it is committed', async () => {
  const one = bank();
  let answered = 0;
  for (const answer of await queue(one, 1, 2, 3)) void answer.then(() => answered++);
  await new Promise(setImmediate);
  assert.is(answered, 0);
  one.open();
  await until(() => answered === 3);
});

test('when another host was faster, all that were decided on the old state are decided again', async () => {
  const one = bank();
  const answers = await queue(one, -60, -60, 5);
  const envelope = { messageId: newUuid(), messageType: 'Booked', payload: { amount: -50 }, v: 1 };
  await one.inner.append(one.account, { ...envelope, timestamp: new Date().toISOString() });
  one.open();
  const settled = await Promise.allSettled(answers);
  assert.equal(
    settled.map((answer) => (answer.status === 'fulfilled' ? answer.value : (answer.reason as Problem).code)),
    ['overdrawn', 'overdrawn', 55],
  );
  assert.equal(await one.amounts(), [100, -50, 5]);
});

test('a refusal is answered when those before it are committed', async () => {
  const one = bank();
  const [first, second, third] = await queue(one, -60, -60, 5);
  one.open();
  assert.is(await first, 40);
  assert.is((await thrownBy(() => second ?? Promise.resolve())).code, 'overdrawn');
  assert.is(await third, 45);
  assert.equal(await one.amounts(), [100, -60, 5]);
});

test('a command whose client has gone leaves nothing behind, and those behind it are decided again', async () => {
  const one = bank();
  await one.book(100);
  one.close();
  const client = new AbortController();
  const first = one.book(1);
  const gone = one.book(-80, client.signal);
  const last = one.book(-50);
  await until(() => one.runs === 4);
  client.abort(new Problem('client-gone'));
  assert.is((await thrownBy(() => gone)).code, 'client-gone');
  one.open();
  assert.equal(await Promise.all([first, last]), [101, 51]);
  assert.equal(await one.amounts(), [100, 1, -50]);
});

test('a client that goes before its refusal is certain is not refused', async () => {
  const client = new AbortController();
  const one = bank((command, work, dispatcher) => {
    if (command.amount !== -200) return booking(command, work, dispatcher);
    client.abort(new Problem('client-gone'));
    throw new Problem('overdrawn', { status: 409 });
  });
  const [first] = await queue(one, 1);
  // Now the next command is decided as soon as it is sent.
  await until(() => one.waiting.length === 1);
  assert.is((await thrownBy(() => one.book(-200, client.signal))).code, 'client-gone');
  one.open();
  assert.is(await first, 101);
});

test('a client that goes while a shared commit waits takes its command out of it', async () => {
  const one = bank();
  const client = new AbortController();
  const [first] = await queue(one, 1);
  const gone = one.book(-80, client.signal);
  const last = one.book(-50);
  await until(() => one.runs === 4);
  // Lets the first one through: the others are then on their way as one.
  one.waiting.splice(0).forEach((go) => go());
  await first;
  await until(() => one.units.length === 3);
  client.abort(new Problem('client-gone'));
  one.open();
  assert.is((await thrownBy(() => gone)).code, 'client-gone');
  assert.is(await last, 51);
  assert.equal(await one.amounts(), [100, 1, -50]);
});

test('one command of a shared commit that cannot be stored harms no other', async () => {
  const one = bank(async (command, work, dispatcher) => {
    const balance = await booking(command, work, dispatcher);
    if (command.amount === 13) work.append(command.account, Booked.of({ amount: 10n as unknown as number }));
    return balance;
  });
  const answers = await queue(one, 1, 13, 2);
  one.open();
  const [first, second, third] = await Promise.allSettled(answers);
  assert.equal([first?.status, second?.status, third?.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.equal(await one.amounts(), [100, 1, 2]);
});

test('a receptor that looks at what only the commit knows runs after the commit', async () => {
  const seen: number[] = [];
  const one = bank(async ({ account, amount }, work) => {
    const events = await collect(work.read(account));
    seen.push(events.at(-1)?.globalPosition ?? 0);
    work.append(account, Booked.of({ amount }));
    return events.at(-1)?.globalPosition ?? 0;
  });
  const answers = await queue(one, 1, 2);
  one.open();
  assert.equal(await Promise.all(answers), [1, 2]);
  assert.equal(seen, [0, 1, 0, 2]);
});

test('a receptor that changes what it has read runs after the commit', async () => {
  const one = bank(async (command, work) => {
    const events = await collect(work.read(command.account));
    for (const { payload } of events) (payload as Booked).amount *= 2;
    work.append(command.account, Booked.of({ amount: command.amount }));
    return balanceOf(events);
  });
  const answers = await queue(one, 1, 2);
  one.open();
  assert.equal(await Promise.all(answers), [200, 202]);
});

test('a receptor that may not run again waits for the commit before it', async () => {
  const one = bank(booking, {});
  await one.book(100);
  one.close();
  const answers = [one.book(1), one.book(2)];
  await until(() => one.waiting.length === 1);
  assert.is(one.runs, 2);
  one.open();
  assert.equal(await Promise.all(answers), [101, 103]);
  assert.is(one.runs, 3);
});

test('a receptor whose commit does not check what it has read waits for the commit before it', async () => {
  const one = bank(async ({ account, amount }, work) => {
    work.append(account, Booked.of({ amount }), { expectedPosition: 'any' });
    return amount;
  });
  await one.book(100);
  one.close();
  const answers = [one.book(1), one.book(2)];
  await until(() => one.waiting.length === 1);
  assert.is(one.runs, 2);
  one.open();
  await Promise.all(answers);
});

test('a queued command that invokes one with its own key is refused, and those behind it go on', async () => {
  const one = bank((command, work, dispatcher) =>
    command.amount === 7
      ? dispatcher.localInvoke(
          Book.of({ account: command.account, amount: 1 }),
          work.context.cancellationToken,
          work.context,
        )
      : booking(command, work, dispatcher),
  );
  const [first] = await queue(one, 1);
  const nested = thrownBy(() => one.book(7));
  const behind = one.book(2);
  await until(() => one.runs === 3);
  one.open();
  assert.equal([await first, (await nested).code, await behind], [101, 'waits-for-itself', 103]);
  assert.equal(await one.amounts(), [100, 1, 2]);
});

class Note extends Command {
  declare account: string;
}
class Noted extends Event {}

/** A bank that keeps notes: one for each booking of 7, by a command with another key. */
function notingBank() {
  const notes = newUuid();
  const one = bank(async (command, work, dispatcher) => {
    const balance = await booking(command, work, dispatcher);
    const { context } = work;
    if (command.amount === 7)
      await dispatcher.localInvoke(Note.of({ account: notes }), context.cancellationToken, context);
    return balance;
  });
  const receptor: Receptor<Note, void> = {
    key: ({ account }) => account,
    retryOnConflict: 3,
    handle: async ({ account }, work) => {
      await collect(work.read(account));
      work.append(account, new Noted());
    },
  };
  one.dispatcher.register([{ command: Note, receptor }]);
  return { one, notes: async () => (await collect(one.inner.read(notes))).length };
}

test('a queued command may invoke one with another key, which is decided when those before it are committed', async () => {
  const { one, notes } = notingBank();
  const [first] = await queue(one, 1);
  const nested = one.book(7);
  const behind = one.book(2);
  await until(() => one.runs === 3);
  assert.is(one.units.length, 2, 'the note waits for the booking before');
  one.open();
  assert.equal(await Promise.all([first, nested, behind]), [101, 108, 110]);
  assert.equal([await one.amounts(), await notes()], [[100, 1, 7, 2], 1]);
});

test('many queued commands that invoke one with another key all end, each with its effect', async () => {
  const { one, notes } = notingBank();
  await one.book(100);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => one.book(n % 2 === 0 ? 7 : 1)));
  assert.is(answers.at(-1), 100 + 20 * 7 + 20);
  assert.equal([(await one.amounts()).length, await notes()], [41, 20]);
});

class Transfer extends Command {
  declare from: string;
  declare to: string;
}

test('of two commands that wait for the key of each other, one goes on when the other gives up', async () => {
  const store = new InMemoryEventStore();
  const dispatcher = new LocalDispatcher({ store });
  const [left, right] = [newUuid(), newUuid()];
  const begun: string[] = [];
  const receptor: Receptor<Transfer, string> = {
    key: ({ from }) => from,
    handle: async ({ from, to }, { signal, context }) => {
      begun.push(from);
      await until(() => begun.length >= 2);
      if (to !== '') await dispatcher.localInvoke(Transfer.of({ from: to, to: '' }), signal, context);
      return from;
    },
  };
  dispatcher.register([{ command: Transfer, receptor }]);
  const leaving = new AbortController();
  const first = thrownBy(() =>
    dispatcher.localInvoke(Transfer.of({ from: left, to: right }), leaving.signal),
  );
  const second = dispatcher.localInvoke<string>(Transfer.of({ from: right, to: left }));
  await until(() => dispatcher.loads.some(({ waiting }) => waiting === 2));
  leaving.abort(new Problem('client-gone'));
  assert.is((await first).code, 'client-gone');
  assert.is(await second, right);
});
