import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { createActor } from 'xstate';
import { Command, Event } from '../../contracts/message.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { commandHandler } from './command-handler.js';
import { CommandKeys } from './command-keys.js';
import { LocalDispatcher } from './dispatcher.js';
import type { QueuedCommand } from './waiting-commands.js';

const test = suite('commands with several keys');

class Move extends Command {
  declare between: readonly string[];
}
class Moved extends Event {
  declare amount: number;
}

const names = ['a', 'b', 'c', 'd'];

const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('enter' as const),
      by: fc.nat(1),
      between: fc.array(fc.constantFrom(...names), { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), nth: fc.nat(30) }) },
  fc.record({ do: fc.constant('give up' as const), nth: fc.nat(30) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const meet = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some((one) => others.has(one));

/** Commands of two handlers that share their keys. */
class Line {
  readonly all: { readonly attempt: QueuedCommand; readonly keys: ReadonlySet<string>; leave(): void }[] = [];
  readonly #handlers;

  constructor() {
    const keys = new CommandKeys();
    const receptor: Receptor<Command, unknown> = {
      key: (command) => (command as Move).between,
      handle: () => new Promise(() => undefined),
    };
    this.#handlers = ['One', 'Other'].map((name) =>
      createActor(commandHandler, { input: { name, receptor, keys } }).start(),
    );
  }

  enter(by: number, between: readonly string[]): void {
    const handler = this.#handlers[by];
    const attempt: QueuedCommand = {
      command: Move.of({ between }),
      work: { signal: new AbortController().signal } as UnitOfWork,
      status: 'none',
      slot: 0,
      key: undefined,
      keys: undefined,
      ticket: undefined,
      isInvokedBy: () => false,
      succeed: () => undefined,
      fail: () => undefined,
    };
    const leave = (): void => handler?.send({ type: 'leave', attempt });
    this.all.push({ attempt, keys: new Set(between), leave });
    handler?.send({ type: 'enter', attempt });
  }

  in(status: QueuedCommand['status']) {
    return this.all.filter(({ attempt }) => attempt.status === status);
  }

  play(step: Step): void {
    const running = new Set(this.in('running'));
    if (step.do === 'enter') this.enter(step.by, step.between);
    else {
      const some = this.in(step.do === 'leave' ? 'running' : 'waiting');
      some[step.nth % Math.max(1, some.length)]?.leave();
    }
    for (const started of this.in('running')) if (!running.has(started)) this.#mustNotOvertake(started);
    this.#mustExclude();
    this.#mustHaveReasons();
  }

  #mustNotOvertake(started: (typeof this.all)[number]): void {
    const earlier = this.all.slice(0, this.all.indexOf(started));
    const overtaken = earlier.filter(
      ({ attempt, keys }) => attempt.status === 'waiting' && keys.size > 1 && meet(keys, started.keys),
    );
    assert.equal(overtaken, []);
  }

  #mustExclude(): void {
    const held = this.in('running').flatMap(({ keys }) => [...keys]);
    assert.is(new Set(held).size, held.length);
  }

  /** A command that waits shares a key with one that runs, or with one that came before. */
  #mustHaveReasons(): void {
    for (const one of this.in('waiting')) {
      const before = this.all
        .slice(0, this.all.indexOf(one))
        .filter(({ attempt }) => attempt.status === 'waiting');
      const reasons = [...this.in('running'), ...before];
      assert.ok(reasons.some(({ keys }) => meet(keys, one.keys)));
    }
  }
}

test('whatever enters, leaves and gives up: no two that share a key run, none is overtaken, and all get their turn', () => {
  const property = fc.property(fc.array(anyStep, { maxLength: 80, size: 'max' }), (steps) => {
    const line = new Line();
    for (const step of steps) line.play(step);
    for (let left = line.all.length; left > 0 && line.in('running').length > 0; left--)
      line.play({ do: 'leave', nth: 0 });
    assert.equal([line.in('running').length, line.in('waiting').length], [0, 0]);
  });
  fc.assert(property, { numRuns: 500 });
});

const bank = (key: Receptor<Move, void>['key']) => {
  const store = new InMemoryEventStore();
  const dispatcher = new LocalDispatcher({ store });
  const balanceOf = async (id: string, source: Pick<UnitOfWork, 'read'> | InMemoryEventStore) =>
    (await collect(source.read(id))).reduce((sum, { payload }) => sum + (payload as Moved).amount, 0);
  const receptor: Receptor<Move, void> = {
    ...(key === undefined ? {} : { key }),
    handle: async ({ between: [payer = '', payee = ''] }, work) => {
      const balances = [await balanceOf(payer, work), await balanceOf(payee, work)];
      assert.ok(balances.every((balance) => balance <= 1_000));
      work.append(payer, Moved.of({ amount: -1 }));
      work.append(payee, Moved.of({ amount: 1 }));
    },
  };
  dispatcher.register([{ command: Move, receptor }]);
  return { dispatcher, balance: (id: string) => balanceOf(id, store) };
};

test('transfers that name both accounts are never refused for a conflict, and their sum stays', async () => {
  const accounts = Array.from({ length: 4 }, () => newUuid());
  const pairs = accounts.flatMap((payer) =>
    accounts.filter((payee) => payee !== payer).map((payee) => [payer, payee]),
  );
  const transfers = [...pairs, ...pairs, ...pairs].map((between) => Move.of({ between }));
  const { dispatcher, balance } = bank(({ between }) => between);
  await Promise.all(transfers.map((transfer) => dispatcher.localInvoke(transfer)));
  assert.equal(await Promise.all(accounts.map(balance)), [0, 0, 0, 0]);
  const withPayer = bank(({ between: [payer = ''] }) => payer);
  const refused = await Promise.allSettled(transfers.map((one) => withPayer.dispatcher.localInvoke(one)));
  assert.ok(refused.some(({ status }) => status === 'rejected'));
});

test('the same key twice counts once, an empty list is no key, and more than eight are refused', async () => {
  const id = newUuid();
  const other = newUuid();
  const move = Move.of({ between: [id, other] });
  for (const key of [() => [id, id], () => []]) await bank(key).dispatcher.localInvoke(move);
  const many = Array.from({ length: 9 }, (_, index) => String(index));
  assert.is((await thrownBy(() => bank(() => many).dispatcher.localInvoke(move))).code, 'invalid-key');
});

test('a key that is no text is refused', async () => {
  const move = Move.of({ between: [newUuid(), newUuid()] });
  for (const key of [5, null, Promise.resolve('a'), { id: 'a' }, ['a', 5], Object.assign([], { 1: 'a' })]) {
    const { dispatcher } = bank((() => key) as never);
    assert.is((await thrownBy(() => dispatcher.localInvoke(move))).code, 'invalid-key');
  }
});

test('a command that invokes another with one of its keys is refused with that key', async () => {
  const dispatcher = new LocalDispatcher({ store: new InMemoryEventStore() });
  const receptor: Receptor<Move, void> = {
    key: ({ between }) => between,
    handle: async ({ between }, { signal, context }) => {
      if (between.length === 3)
        await dispatcher.localInvoke(Move.of({ between: ['z', 'b'] }), signal, context);
    },
  };
  dispatcher.register([{ command: Move, receptor }]);
  const outer = Move.of({ between: ['a', 'b', 'c'] });
  const refusal = await thrownBy(() => dispatcher.localInvoke(outer));
  assert.is(refusal.code, 'waits-for-itself');
  assert.match(refusal.message, /the same key, 'b', as Move/);
});

test('a command that another one invokes does not wait behind one that waits for that other one', async () => {
  const dispatcher = new LocalDispatcher({ store: new InMemoryEventStore() });
  const order: string[] = [];
  let meanwhile: Promise<unknown> = Promise.resolve();
  const receptor: Receptor<Move, void> = {
    key: ({ between }) => between,
    handle: async ({ between }, { signal, context }) => {
      if (between.join('') === 'a') {
        meanwhile = dispatcher.localInvoke(Move.of({ between: ['a', 'b'] }));
        await dispatcher.localInvoke(Move.of({ between: ['b'] }), signal, context);
      }
      order.push(between.join(''));
    },
  };
  dispatcher.register([{ command: Move, receptor }]);
  await dispatcher.localInvoke(Move.of({ between: ['a'] }));
  await meanwhile;
  assert.equal(order, ['b', 'a', 'ab']);
});
