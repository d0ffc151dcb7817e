import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Command, Event, SystemEvent } from '../../contracts/message.js';
import type { MutationContext } from '../../contracts/mutation.js';
import { Problem } from '../../contracts/problems.js';
import type { Behavior, Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { Unit } from '../../contracts/unit.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { RequestContext } from '../../runtime/request-context.js';
import { collect } from '../../runtime/testing/collect.js';
import { InMemoryEventStore } from '../../runtime/testing/in-memory-event-store.js';
import { type DispatcherPorts, LocalDispatcher } from './dispatcher.js';

const test = suite('dispatcher');

class Deposit extends Command {
  account!: string;
}

class Welcome extends Command {}

class Deposited extends Event {}

class Noticed extends SystemEvent {}

const account = '018f0000-0000-7000-8000-0000000000bb';
const deposit = Deposit.of({ account });

type Handle = Receptor<Deposit, unknown>['handle'];

const store: Handle = ({ account: to }, _signal, work) => {
  work.append(to, new Deposited());
  return 'deposited';
};

/** A store that records what it was asked to commit. */
class WatchedStore extends InMemoryEventStore {
  readonly commits: Unit[] = [];

  override commit(unit: Unit, signal?: AbortSignal): Promise<void> {
    this.commits.push(unit);
    return super.commit(unit, signal);
  }
}

function bank(
  handle: Handle = store,
  ports: Partial<DispatcherPorts> = {},
  options: Partial<Receptor<Deposit, unknown>> = {},
) {
  const watched = new WatchedStore();
  const dispatcher = new LocalDispatcher({ store: watched, ...ports });
  dispatcher.register([{ command: Deposit, receptor: { ...options, handle } }]);
  return { dispatcher, store: watched, stored: () => collect(watched.readAll({ after: 0 })) };
}

const thrownBy = async (act: () => unknown): Promise<Problem> => {
  try {
    await act();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
};

test('a command is handled, its unit is committed once, and only then the result is returned', async () => {
  const { dispatcher, store: watched, stored } = bank();
  assert.is(await dispatcher.localInvoke(deposit), 'deposited');
  assert.is(watched.commits.length, 1);
  assert.is((await stored()).length, 1);
});

test('a command that stages nothing needs no commit', async () => {
  const { dispatcher, store: watched } = bank(() => 'nothing to do');
  assert.is(await dispatcher.localInvoke(deposit), 'nothing to do');
  assert.equal(watched.commits, []);
});

test('when the handler throws, nothing of its unit is stored', async () => {
  const { dispatcher, store: watched } = bank((...args) => {
    void store(...args);
    throw new Problem('broke', { status: 402 });
  });
  assert.is((await thrownBy(() => dispatcher.localInvoke(deposit))).code, 'broke');
  assert.equal(watched.commits, []);
});

test('an event carries the ids of the command that caused it', async () => {
  const { dispatcher, stored } = bank();
  const context = new RequestContext({
    transport: 'rest',
    cancellation: new Cancellation(),
    correlationId: 'c1',
  });
  await dispatcher.localInvoke(deposit, undefined, context);
  const [event] = await stored();
  assert.equal([event?.causationId, event?.correlationId], [context.messageId, 'c1']);
});

const noting = (name: string, diary: string[]): Behavior => ({
  handle: async (_command, next) => {
    diary.push(`${name} in`);
    const result = await next();
    diary.push(`${name} out`);
    return result;
  },
});

test('behaviors wrap the handler, the first outermost, all of them before the commit', async () => {
  const diary: string[] = [];
  const { dispatcher } = bank(
    (...args) => {
      diary.push('handler');
      args[2].defer(() => void diary.push('committed'));
      return store(...args);
    },
    { behaviors: [noting('audit', diary), noting('timing', diary)] },
  );
  await dispatcher.localInvoke(deposit);
  assert.equal(diary, ['audit in', 'timing in', 'handler', 'timing out', 'audit out', 'committed']);
});

test('a behavior that fails after the handler prevents the commit', async () => {
  const failing: Behavior = {
    handle: async (_command, next) => {
      await next();
      throw new Problem('not audited');
    },
  };
  const { dispatcher, store: watched } = bank(store, { behaviors: [failing] });
  assert.is((await thrownBy(() => dispatcher.localInvoke(deposit))).code, 'not audited');
  assert.equal(watched.commits, []);
});

test('a behavior may answer without the handler', async () => {
  const answering: Behavior = { handle: async <T>() => 'cached' as T };
  const { dispatcher } = bank(() => assert.unreachable(), { behaviors: [answering] });
  assert.is(await dispatcher.localInvoke(deposit), 'cached');
});

test("a behavior finds the receptor's name in the context", async () => {
  class DepositDesk implements Receptor<Deposit, unknown> {
    handle(): string {
      return 'done';
    }
  }
  const names: unknown[] = [];
  const asking: Behavior = {
    handle: (_command, next, { metadata }) => {
      names.push(metadata['receptorName']);
      return next();
    },
  };
  const dispatcher = new LocalDispatcher({ store: new InMemoryEventStore(), behaviors: [asking] });
  dispatcher.register([
    { command: Deposit, receptor: new DepositDesk() },
    { command: Welcome, receptor: { handle: () => 'hello' } },
  ]);
  await dispatcher.localInvoke(deposit);
  await dispatcher.localInvoke(new Welcome());
  assert.equal(names, ['DepositDesk', 'WelcomeReceptor']);
});

/** A store in which another writer always commits first, this many times. */
const disturbed =
  (times: number, other: () => InMemoryEventStore): Handle =>
  async (_command, _signal, work) => {
    const before = (await collect(work.read(account))).length;
    if (before < times) {
      const messageId = newUuid();
      await other().append(account, {
        messageId,
        messageType: 'Deposited',
        payload: {},
        timestamp: new Date().toISOString(),
        v: 1,
      });
    }
    work.append(account, new Deposited());
    return `${before} before`;
  };

test('a conflict is retried as often as the receptor allows, in a new unit', async () => {
  const world: InMemoryEventStore[] = [];
  const {
    dispatcher,
    store: watched,
    stored,
  } = bank(
    disturbed(2, () => world[0] ?? new InMemoryEventStore()),
    {},
    { retryOnConflict: 2 },
  );
  world.push(watched);
  assert.is(await dispatcher.localInvoke(deposit), '2 before');
  assert.is((await stored()).length, 3);
});

test('a conflict after the last retry is the answer', async () => {
  const world: InMemoryEventStore[] = [];
  const { dispatcher, store: watched } = bank(
    disturbed(2, () => world[0] ?? new InMemoryEventStore()),
    {},
    { retryOnConflict: 1 },
  );
  world.push(watched);
  assert.is((await thrownBy(() => dispatcher.localInvoke(deposit))).code, 'stream-conflict');
});

test('without retryOnConflict a conflict is not retried', async () => {
  let tries = 0;
  const { dispatcher } = bank(({ account: to }, _signal, work) => {
    tries++;
    work.append(to, new Deposited(), { expectedPosition: 7 });
  });
  assert.is((await thrownBy(() => dispatcher.localInvoke(deposit))).code, 'stream-conflict');
  assert.is(tries, 1);
});

test('only a conflict is retried', async () => {
  let tries = 0;
  const failing = () => {
    tries++;
    throw new Problem('not-found');
  };
  const { dispatcher } = bank(failing, {}, { retryOnConflict: 5 });
  await thrownBy(() => dispatcher.localInvoke(deposit));
  assert.is(tries, 1);
});

test('a command invoked inside another has a unit of its own, and the outer command as its cause', async () => {
  const { dispatcher, store: watched, stored } = bank();
  const contexts: MutationContext[] = [];
  const welcome: Receptor<Welcome, unknown> = {
    handle: async (_command, signal, work) => {
      contexts.push(work.context);
      await dispatcher.localInvoke(deposit, signal, work.context);
      throw new Problem('changed my mind');
    },
  };
  dispatcher.register([{ command: Welcome, receptor: welcome }]);
  await thrownBy(() => dispatcher.localInvoke(new Welcome()));
  const [event] = await stored();
  const [unit] = watched.commits as unknown as UnitOfWork[];
  assert.is(watched.commits.length, 1, 'the inner one is committed, whatever happens to the outer one');
  assert.is(unit?.context.causationId, contexts[0]?.messageId);
  assert.is(unit?.context.correlationId, contexts[0]?.correlationId);
  assert.is.not(event?.causationId, contexts[0]?.messageId, 'the event is caused by the inner command');
});

test('the outer unit can still be used after an inner command', async () => {
  const { dispatcher, stored } = bank();
  const welcome: Receptor<Welcome, unknown> = {
    handle: async (_command, signal, work) => {
      await dispatcher.localInvoke(deposit, signal, work.context);
      work.append(newUuid(), new Deposited());
    },
  };
  dispatcher.register([{ command: Welcome, receptor: welcome }]);
  await dispatcher.localInvoke(new Welcome());
  assert.is((await stored()).length, 2);
});

test('deferred tasks run after the commit, and their failure changes nothing', async () => {
  const failures: string[] = [];
  const diary: string[] = [];
  const { dispatcher, stored } = bank(
    (...args) => {
      const [, , work] = args;
      work.defer(async () => {
        diary.push(`first, ${(await stored()).length} stored`);
      });
      work.defer(() => {
        throw new Problem('no stamp');
      });
      work.defer(() => Promise.reject(new Problem('no ink')));
      work.defer(() => void diary.push('last'));
      return store(...args);
    },
    { onDeferredFailure: (error) => failures.push((error as Problem).code) },
  );
  assert.is(await dispatcher.localInvoke(deposit), 'deposited');
  await new Promise(setImmediate);
  assert.equal(diary.toSorted(), ['first, 1 stored', 'last']);
  assert.equal(failures.toSorted(), ['no ink', 'no stamp']);
});

test('tasks deferred by a command that fails do not run', async () => {
  const diary: string[] = [];
  const { dispatcher } = bank((_command, _signal, work) => {
    work.defer(() => void diary.push('ran'));
    throw new Problem('broke');
  });
  await thrownBy(() => dispatcher.localInvoke(deposit));
  await new Promise(setImmediate);
  assert.equal(diary, []);
});

test('a handler that never ends releases its slot at the deadline', async () => {
  let first = true;
  const { dispatcher } = bank(
    (...args) => {
      if (!first) return store(...args);
      first = false;
      return new Promise(() => undefined);
    },
    { deadlineMs: 20 },
    { concurrency: 1 },
  );
  assert.is((await thrownBy(() => dispatcher.localInvoke(deposit))).code, 'deadline-exceeded');
  assert.is(await dispatcher.localInvoke(deposit), 'deposited');
});

test('a command that waits for a slot is given up at its deadline', async () => {
  const { dispatcher } = bank(() => new Promise(() => undefined), { deadlineMs: 20 }, { concurrency: 1 });
  const refusals = await Promise.all([1, 2].map(() => thrownBy(() => dispatcher.localInvoke(deposit))));
  assert.equal(
    refusals.map(({ code }) => code),
    ['deadline-exceeded', 'deadline-exceeded'],
  );
});

test('a late handler can no longer use its unit', async () => {
  const late: Promise<unknown>[] = [];
  const { dispatcher, store: watched } = bank(
    (_command, signal, work) => {
      late.push(
        once(signal, 'abort')
          .then(() => new Promise(setImmediate))
          .then(() => work),
      );
      return new Promise(() => undefined);
    },
    { deadlineMs: 20 },
  );
  await thrownBy(() => dispatcher.localInvoke(deposit));
  const work = (await late[0]) as UnitOfWork;
  const acts = [
    () => work.append(account, new Deposited()),
    () => work.defer(() => undefined),
    () => work.emit(new Noticed()),
    () => collect(work.read(account)),
  ];
  for (const act of acts) assert.is((await thrownBy(act)).code, 'unit-closed');
  assert.equal(watched.commits, []);
});

test('an aborted signal refuses the command before its handler', async () => {
  const { dispatcher } = bank(() => assert.unreachable());
  const reason = new Problem('changed my mind');
  assert.is(await thrownBy(() => dispatcher.localInvoke(deposit, AbortSignal.abort(reason))), reason);
});

test('an abort while the handler runs is the answer, and nothing is stored even if the handler returns', async () => {
  const controller = new AbortController();
  const { dispatcher, store: watched } = bank((...args) => {
    controller.abort(new Problem('changed my mind'));
    return store(...args);
  });
  const refusal = await thrownBy(() => dispatcher.localInvoke(deposit, controller.signal));
  assert.is(refusal.code, 'changed my mind');
  assert.equal(watched.commits, []);
});

test('an abort between handler and commit is the answer, even when there is nothing to commit', async () => {
  const controller = new AbortController();
  const aborting: Behavior = {
    handle: async (_command, next) => {
      const result = await next();
      controller.abort(new Problem('changed my mind'));
      return result;
    },
  };
  const { dispatcher } = bank(() => 'nothing to do', { behaviors: [aborting] });
  const refusal = await thrownBy(() => dispatcher.localInvoke(deposit, controller.signal));
  assert.is(refusal.code, 'changed my mind');
});

test('the start names commands without a receptor', () => {
  const { dispatcher } = bank();
  assert.not.throws(() => dispatcher.mustHandle([Deposit]));
  assert.throws(() => dispatcher.mustHandle([Deposit, Welcome]), /^No receptor handles Welcome; add a class/);
});

test('a command without a receptor is named when it is sent', async () => {
  const { dispatcher } = bank();
  const refusal = await thrownBy(() => dispatcher.localInvoke(new Welcome()));
  assert.equal([refusal.code, refusal.message], ['invalid-setup', 'No receptor handles Welcome.']);
});

test('two receptors for one command are refused, naming the command', () => {
  const { dispatcher } = bank();
  const again = () => dispatcher.register([{ command: Deposit, receptor: { handle: store } }]);
  assert.throws(again, /^Command Deposit has two receptors/);
});

test('a stopped dispatcher refuses waiting commands', async () => {
  const { dispatcher } = bank(() => new Promise(() => undefined), { deadlineMs: 500 }, { concurrency: 1 });
  const running = thrownBy(() => dispatcher.localInvoke(deposit));
  const waiting = thrownBy(() => dispatcher.localInvoke(deposit));
  await new Promise(setImmediate);
  dispatcher.stop();
  assert.is((await waiting).code, 'draining');
  assert.is((await running).code, 'deadline-exceeded');
});

test('a command that arrives after the stop is refused, not forgotten', async () => {
  const { dispatcher } = bank(store, { deadlineMs: 2_000 });
  dispatcher.stop();
  assert.is((await thrownBy(() => dispatcher.localInvoke(deposit))).code, 'draining');
});

test('before the host has started, commands are refused', async () => {
  const refusal = await thrownBy(() => new LocalDispatcher().localInvoke(deposit));
  assert.is(refusal.status, 503);
  assert.is(refusal.message, 'The host has not started yet.');
});

test('a started dispatcher passes on every command', async () => {
  const dispatcher = new LocalDispatcher();
  const received: unknown[] = [];
  const receptor: Receptor<Deposit, unknown> = {
    handle: (command, signal, { context }) => {
      received.push(command, signal, context);
      return 'deposited';
    },
  };
  dispatcher.start({ store: new InMemoryEventStore() }, [{ command: Deposit, receptor }]);
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation() });
  assert.is(await dispatcher.localInvoke(deposit, undefined, context), 'deposited');
  assert.is(received.length, 3);
  [deposit, context.cancellationToken, context].forEach((one, index) => assert.is(received[index], one));
});

test('an application may pass on localInvoke without its dispatcher', async () => {
  const { localInvoke } = bank().dispatcher;
  assert.is(await localInvoke(deposit), 'deposited');
});

test('a receptor that is registered before the start is refused', () => {
  const early = () => new LocalDispatcher().register([{ command: Deposit, receptor: { handle: store } }]);
  assert.throws(early, /has not started yet/);
});

test('a behavior that never returns is given up at the deadline too', async () => {
  const silent: Behavior = { handle: () => new Promise(() => undefined) };
  const { dispatcher, stored } = bank(store, { behaviors: [silent], deadlineMs: 20 });
  const problem = await thrownBy(() => dispatcher.localInvoke(deposit));
  assert.is(problem.code, 'deadline-exceeded');
  assert.equal(await stored(), []);
});

test('a nested command with the key of one that invoked it is refused at once, however deep the nesting', async () => {
  const { dispatcher } = bank(
    (_command, signal, work) => dispatcher.localInvoke(new Welcome(), signal, work.context),
    {},
    { key: ({ account: to }) => to },
  );
  dispatcher.register([
    {
      command: Welcome,
      receptor: { handle: (_command, signal, work) => dispatcher.localInvoke(deposit, signal, work.context) },
    },
  ]);
  const refusal = await thrownBy(() => dispatcher.localInvoke(deposit));
  assert.is(refusal.code, 'waits-for-itself');
  assert.match(refusal.message, account);
});

test.run();
