import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import type { UnitLists } from '../../contracts/unit-lists.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { LocalDispatcher } from './dispatcher.js';

const test = suite('dispatcher: steps');

class Deposit extends Command {
  declare account: string;
}
class PayOut extends Command {
  declare account: string;
}
class Deposited extends Event {}
class PaidOut extends Event {}

const account = newUuid();
const deposit = Deposit.of({ account });
const payOut = PayOut.of({ account });
const nothing: UnitLists = {
  handled: [],
  aside: [],
  timers: [],
  ended: [],
  reservations: [],
  processes: [],
};

const contextOf = (): RequestContext =>
  new RequestContext({ transport: 'reaction', cancellation: new Cancellation(), depth: 1 });

interface BankOptions {
  readonly onDeposit?: (work: UnitOfWork, dispatcher: LocalDispatcher) => void | Promise<void>;
  readonly onPayOut?: (work: UnitOfWork, dispatcher: LocalDispatcher) => void | Promise<void>;
  readonly receptor?: Partial<Receptor<Deposit | PayOut, unknown>>;
}

function bank({ onDeposit, onPayOut, receptor }: BankOptions = {}) {
  const store = new InMemoryEventStore();
  const dispatcher = new LocalDispatcher({ store });
  const heights: number[] = [];
  const booking =
    (event: () => Event, more: BankOptions['onDeposit']) =>
    async (command: Deposit | PayOut, work: UnitOfWork): Promise<void> => {
      heights.push((await collect(work.read(command.account))).length);
      await more?.(work, dispatcher);
      work.append(command.account, event());
    };
  dispatcher.register([
    { command: Deposit, receptor: { ...receptor, handle: booking(() => new Deposited(), onDeposit) } },
    { command: PayOut, receptor: { ...receptor, handle: booking(() => new PaidOut(), onPayOut) } },
  ]);
  const stored = async (): Promise<readonly string[]> =>
    (await collect(store.read(account))).map(({ messageType }) => messageType);
  return { store, dispatcher, heights, stored };
}

test('commands of a step are stored by one commit, and not before it', async () => {
  const { store, dispatcher, stored } = bank();
  const step = dispatcher.openStep();
  await dispatcher.stage(deposit, contextOf(), step);
  await dispatcher.stage(payOut, contextOf(), step);
  assert.equal(await stored(), []);
  await store.commit(step.staged.unit(nothing));
  step.stored();
  assert.equal(await stored(), ['Deposited', 'PaidOut']);
});

test('a later command reads what an earlier one staged, and the commit expects the position before the step', async () => {
  const { store, dispatcher, heights } = bank();
  await dispatcher.localInvoke(deposit);
  const step = dispatcher.openStep();
  await dispatcher.stage(deposit, contextOf(), step);
  await dispatcher.stage(payOut, contextOf(), step);
  const unit = step.staged.unit(nothing);
  assert.equal(heights, [0, 1, 2]);
  assert.equal([...unit.expected], [[account, 1]]);
  await store.commit(unit);
});

test('a stream that moves on between two commands of a step is a conflict', async () => {
  const { dispatcher } = bank();
  const step = dispatcher.openStep();
  await dispatcher.stage(deposit, contextOf(), step);
  await dispatcher.localInvoke(deposit);
  await dispatcher.stage(payOut, contextOf(), step);
  assert.is((await thrownBy(() => step.staged.unit(nothing))).code, 'stream-conflict');
});

test('a refused command leaves nothing in its step, nor does what it invoked', async () => {
  const { store, dispatcher, stored } = bank({
    onPayOut: async (work, inner) => {
      await inner.localInvoke(deposit, undefined, work.context);
      throw new Problem('account-empty', { status: 422 });
    },
  });
  const step = dispatcher.openStep();
  await dispatcher.stage(deposit, contextOf(), step);
  assert.is((await thrownBy(() => dispatcher.stage(payOut, contextOf(), step))).code, 'account-empty');
  await store.commit(step.staged.unit(nothing));
  assert.equal(await stored(), ['Deposited']);
});

test('a command that a receptor of the step invokes is part of the step', async () => {
  const { dispatcher, stored } = bank({
    onPayOut: async (work, inner) => inner.localInvoke(deposit, undefined, work.context),
  });
  const step = dispatcher.openStep();
  await dispatcher.stage(payOut, contextOf(), step);
  assert.equal(await stored(), []);
  const { events } = step.staged.unit(nothing);
  assert.equal(
    events.map(({ envelope }) => [envelope.messageType, envelope.depth]),
    [
      ['Deposited', 1],
      ['PaidOut', 1],
    ],
  );
});

test('handlers keep their slots until the step ends', async () => {
  const { dispatcher } = bank();
  const running = () => dispatcher.loads.map((load) => load.running);
  const step = dispatcher.openStep();
  await dispatcher.stage(deposit, contextOf(), step);
  assert.equal(running(), [1, 0]);
  step.discardAfter(0);
  assert.equal(running(), [0, 0]);
});

test('a step does not wait for a key that it holds itself', async () => {
  const { dispatcher } = bank({ receptor: { key: (command) => command.account } });
  const step = dispatcher.openStep();
  await dispatcher.stage(deposit, contextOf(), step);
  await dispatcher.stage(deposit, contextOf(), step);
  assert.is(step.staged.parts.length, 2);
  step.discardAfter(0);
  assert.equal(
    dispatcher.loads.map(({ running }) => running),
    [0, 0],
  );
});

test('a step that holds a slot never waits for another one: two steps could wait for each other', async () => {
  const { dispatcher } = bank({ receptor: { key: (command) => command.account } });
  const [one, other] = [dispatcher.openStep(), dispatcher.openStep()];
  await dispatcher.stage(deposit, contextOf(), one);
  await dispatcher.stage(payOut, contextOf(), other);
  assert.is((await thrownBy(() => dispatcher.stage(payOut, contextOf(), one))).code, 'overloaded');
  one.discardAfter(0);
  await dispatcher.stage(deposit, contextOf(), other);
});

test('what a receptor defers runs after the commit of the step', async () => {
  const diary: string[] = [];
  const { dispatcher } = bank({ onDeposit: (work) => work.defer(() => void diary.push('deferred')) });
  const step = dispatcher.openStep();
  await dispatcher.stage(deposit, contextOf(), step);
  assert.equal(diary, []);
  step.stored();
  assert.equal(diary, ['deferred']);
});
