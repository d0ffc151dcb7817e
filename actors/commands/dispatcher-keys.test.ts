import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { until } from '../../runtime/kit/until.js';
import { bank, balanceOf, Booked, booking, queue } from '../testing/keyed-bank.js';

const test = suite('dispatcher: commands with a key');

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
