import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { until } from '../../runtime/kit/until.js';
import { LocalDispatcher } from './dispatcher.js';
import { bank, Book, booking, queue } from '../testing/keyed-bank.js';

const test = suite('dispatcher: commands with a key that invoke others');

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

test('of two commands that wait for the key of each other, one continues when the other gives up', async () => {
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
