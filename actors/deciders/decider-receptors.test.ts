import * as assert from 'uvu/assert';
import type { Decider } from '../../contracts/decider.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { UnitLists } from '../../contracts/unit-lists.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import {
  Account,
  type AccountState,
  Book,
  Booked,
  Close,
  type Closed,
} from '../../runtime/testing/account-decider.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';
import { accountHost, appendBooked, CountedStore } from '../testing/account-hosts.js';
import { deciderReceptors, shareStates } from './decider-receptors.js';

const test = suite('decider receptors');

const nothing: UnitLists = {
  handled: [],
  aside: [],
  timers: [],
  ended: [],
  reservations: [],
  processes: [],
};

test('a command is decided from the events of its stream, and its result is returned', async () => {
  const store = new CountedStore();
  const { book, close } = accountHost(store);
  const account = newUuid();
  assert.is(await book(account, 10), 10);
  assert.is(await book(account, -10), 0);
  await close(account);
  const types = (await collect(store.read(account))).map(({ messageType }) => messageType);
  assert.equal(types, ['Booked', 'Booked', 'Closed']);
});

test('a warm command reads nothing, however long its stream is', async () => {
  const store = new CountedStore();
  const { book } = accountHost(store);
  const account = newUuid();
  await appendBooked(store, account, ...Array.from({ length: 500 }, () => 1));
  await book(account, 1);
  const { reads } = store;
  for (let n = 0; n < 10; n++) await book(account, 1);
  assert.is(store.reads, reads);
});

test('after a conflict the stream is read on, not again, and the command decided again', async () => {
  const store = new CountedStore();
  const { book } = accountHost(store);
  const account = newUuid();
  await appendBooked(store, account, ...Array.from({ length: 50 }, () => 1));
  await book(account, 1);
  await appendBooked(store, account, 100);
  const { eventsRead } = store;
  assert.is(await book(account, 1), 152);
  assert.is(store.conflicts, 1);
  assert.is(store.eventsRead - eventsRead, 2);
});

test('a refusal from an old state is decided again from the newest one', async () => {
  const store = new CountedStore();
  const { book } = accountHost(store);
  const account = newUuid();
  await book(account, 5);
  await appendBooked(store, account, 100);
  assert.is(await book(account, -50), 55);
  assert.is(store.conflicts, 0);
});

test('a decision without events from an old state is made again from the newest one', async () => {
  const store = new InMemoryEventStore();
  const [first, second] = [accountHost(store), accountHost(store)];
  const account = newUuid();
  await first.close(account);
  await first.close(account);
  await appendBooked(store, account, 7);
  assert.is((await thrownBy(() => first.close(account))).code, 'not-empty');
  assert.is((await thrownBy(() => second.close(account))).code, 'not-empty');
});

test('a refusal from the newest state reads once and stands', async () => {
  const store = new CountedStore();
  const { book } = accountHost(store);
  const account = newUuid();
  await book(account, 5);
  const { reads } = store;
  assert.is((await thrownBy(() => book(account, -6))).code, 'overdrawn');
  assert.is(store.reads, reads + 1);
  assert.is((await collect(store.read(account))).length, 1);
});

test('a command whose stream moves with every try is refused after 3 more', async () => {
  const store = new InMemoryEventStore();
  const disturbed = new CountedStore(store);
  const commit = disturbed.commit.bind(disturbed);
  const account = newUuid();
  disturbed.commit = async (unit, signal) => {
    await appendBooked(store, account, 1);
    await commit(unit, signal);
  };
  assert.is((await thrownBy(() => accountHost(disturbed).book(account, 1))).code, 'stream-conflict');
  assert.is(disturbed.conflicts, 4);
});

test('64 commands at once on one stream, of both kinds, meet no conflict on one host', async () => {
  const store = new CountedStore();
  const { book, close } = accountHost(store);
  const account = newUuid();
  const all = Array.from({ length: 64 }, (_, n) =>
    n % 8 === 7 ? close(account).catch((error: unknown) => error) : book(account, 1),
  );
  await Promise.all(all);
  assert.is(store.conflicts, 0);
  assert.is((await collect(store.read(account))).length, 56);
});

test('a later command of a step is decided with what the earlier ones staged', async () => {
  const store = new CountedStore();
  const { book, dispatcher } = accountHost(store);
  const accountId = newUuid();
  await book(accountId, 5);
  const step = dispatcher.openStep();
  const context = () => new RequestContext({ transport: 'reaction', cancellation: new Cancellation() });
  assert.is(await dispatcher.stage(Book.of({ accountId, amount: -5 }), context(), step), 0);
  await dispatcher.stage(Close.of({ accountId }), context(), step);
  await store.commit(step.staged.unit(nothing));
  step.stored();
  assert.is((await thrownBy(() => book(accountId, 1))).code, 'account-closed');
  assert.is(store.conflicts, 0);
});

test('an event that evolve has seen after the commit is the one that the store returns', async () => {
  const seen: StoredEvent[] = [];
  class Watched extends Account {
    override evolve(state: AccountState, event: StoredEvent<Booked | Closed>) {
      if (event.globalPosition > 0) seen.push(event);
      return super.evolve(state, event);
    }
  }
  const store = new InMemoryEventStore();
  const { book } = accountHost(store, {}, new Watched());
  const account = newUuid();
  await book(account, 1);
  await book(account, 2);
  assert.equal(seen, await collect(store.read(account)));
});

test('an event that evolve cannot take is not stored', async () => {
  class Fragile extends Account {
    override evolve(state: AccountState, event: StoredEvent<Booked | Closed>): AccountState {
      if ((event.payload as Booked).amount === 13) throw new RangeError('13');
      return super.evolve(state, event);
    }
  }
  const store = new InMemoryEventStore();
  const account = newUuid();
  const { book } = accountHost(store, {}, new Fragile());
  await book(account, 1);
  const problem = await thrownBy(() => book(account, 13));
  assert.is(problem.code, 'invalid-decider');
  assert.match(
    problem.message,
    `Decider account: evolve for Booked failed at position 2 of stream ${account}.`,
  );
  assert.is(await book(account, 1), 2);
});

test('a state that is changed in place is refused in one line', async () => {
  class Careless extends Account {
    override evolve(state: AccountState, event: StoredEvent<Booked | Closed>): AccountState {
      (state as { balance: number }).balance += (event.payload as Booked).amount;
      return state;
    }
  }
  const problem = await thrownBy(() =>
    accountHost(new InMemoryEventStore(), {}, new Careless()).book(newUuid(), 1),
  );
  const why = 'Decider account: evolve for Booked changed the state in place; return a new state instead.';
  assert.is(problem.message, why);
});

test('a state that is no plain JSON data is refused in one line', async () => {
  class Mapped extends Account {
    override initial(): AccountState {
      return { ...super.initial(), items: new Map() } as AccountState;
    }
  }
  const problem = await thrownBy(() =>
    accountHost(new InMemoryEventStore(), {}, new Mapped()).book(newUuid(), 1),
  );
  const why =
    'Decider account: initial returned a state with something at /items that is not plain JSON data.';
  assert.is(problem.message, why);
});

test('a decision that is none is refused in one line', async () => {
  const why = {
    nothing: 'Decider account: decide for Book must return events, [] for none, or { events, result }.',
    promise: 'Decider account: decide for Book returned a promise; it must decide from the state alone.',
    noResult: 'Decider account: decide for Book must return { events, result } with a Int.',
  };
  const decisions = {
    nothing: undefined,
    promise: Promise.resolve([]),
    noResult: [Booked.of({ amount: 1 })],
  };
  for (const [name, decision] of Object.entries(decisions)) {
    const account = new Account();
    const decider = Object.assign(new Account(), { decide: { ...account.decide, Book: () => decision } });
    const problem = await thrownBy(() =>
      accountHost(new InMemoryEventStore(), {}, decider).book(newUuid(), 1),
    );
    assert.is(problem.message, why[name as keyof typeof why]);
  }
});

interface Owned {
  readonly balance: number;
  readonly tenant?: string;
}

/** An account belongs to the tenant that first books on it. */
class OwnedAccount implements Decider<Owned, Booked, { readonly Book: typeof Book }> {
  readonly name = 'owned-account';
  readonly version = 1;
  readonly commands = { Book };
  stream = ({ accountId }: Book) => accountId;
  initial = (): Owned => ({ balance: 0 });
  evolve = ({ balance, tenant }: Owned, { payload, scope }: StoredEvent<Booked>): Owned => ({
    balance: balance + payload.amount,
    tenant: tenant ?? String(scope?.['tenantId']),
  });
  readonly decide = {
    Book: ({ amount }: Book, { balance, tenant }: Owned, { scope }: MutationContext) => {
      if (tenant !== undefined && tenant !== scope.tenantId) throw new Problem('no-account', { status: 404 });
      return { events: Booked.of({ amount }), result: balance + amount };
    },
  };
}

test('a decision knows whose command it is', async () => {
  const { dispatcher } = accountHost(new CountedStore(), {}, new OwnedAccount());
  const account = newUuid();
  const bookFor = (tenantId: string) => {
    const scope = { tenantId, allowedPrincipals: [], extensions: {} };
    const context = new RequestContext({ transport: 'local', cancellation: new Cancellation(), scope });
    return dispatcher.localInvoke(Book.of({ accountId: account, amount: 1 }), undefined, context);
  };
  assert.is(await bookFor('acme'), 1);
  assert.is((await thrownBy(() => bookFor('other'))).code, 'no-account');
  assert.is(await bookFor('acme'), 2);
});

test('two deciders of one name, a name that is not kebab-case and a missing decision are refused', async () => {
  const account = new Account();
  const like = (other: object) => Object.assign(new Account(), other);
  const two = [account, like({})].flatMap((decider) => deciderReceptors({ decider }));
  const { states } = accountHost(new InMemoryEventStore());
  const refused = [
    [() => shareStates(two, states), "Two deciders have the name 'account'; rename one."],
    [() => deciderReceptors({ decider: like({ name: 'My Account' }) }), /needs a name in kebab-case/],
    [() => deciderReceptors({ decider: like({ version: 0 }) }), /must be a whole number from 1/],
    [
      () => deciderReceptors({ decider: like({ decide: {} }) }),
      'Decider account does not decide Book, Close.',
    ],
  ] as const;
  for (const [act, why] of refused) {
    const { message } = await thrownBy(async () => act());
    assert.match(message, why);
  }
});
