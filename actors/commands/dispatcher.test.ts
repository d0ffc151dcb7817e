import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { RequestContext } from '../../runtime/request-context.js';
import { InMemoryEventStore } from '../../runtime/testing/in-memory-event-store.js';
import { LocalDispatcher } from './dispatcher.js';
import { Deposit, Welcome, Deposited, account, deposit, store, bank } from '../testing/bank-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('dispatcher');

test('a command is handled, its unit is committed once, and only then the result is returned', async () => {
  const { dispatcher, store: watched, stored } = bank();
  assert.is(await dispatcher.localInvoke(deposit), 'deposited');
  assert.is(watched.attempts.length, 1);
  assert.is((await stored()).length, 1);
});

test('a command that stages nothing needs no commit', async () => {
  const { dispatcher, store: watched } = bank(() => 'nothing to do');
  assert.is(await dispatcher.localInvoke(deposit), 'nothing to do');
  assert.equal(watched.attempts, []);
});

test('when the handler throws, nothing of its unit is stored', async () => {
  const { dispatcher, store: watched } = bank((...args) => {
    void store(...args);
    throw new Problem('broke', { status: 402 });
  });
  assert.is((await thrownBy(() => dispatcher.localInvoke(deposit))).code, 'broke');
  assert.equal(watched.attempts, []);
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
  const [unit] = watched.attempts as unknown as UnitOfWork[];
  assert.is(watched.attempts.length, 1, 'the inner one is committed, whatever happens to the outer one');
  assert.is(unit?.context.causationId, contexts[0]?.messageId);
  assert.is(unit?.context.correlationId, contexts[0]?.correlationId);
  assert.is.not(event?.causationId, contexts[0]?.messageId, 'the event is caused by the inner command');
});

test('every command asks the flags of its dispatcher, whatever context it is given', async () => {
  const flags = { isOn: (name: string) => name === 'gift-wrap' };
  const dispatcher = new LocalDispatcher({ store: new InMemoryEventStore(), flags });
  const welcome: Receptor<Welcome, unknown> = {
    handle: (_command, _signal, work) => [work.flags.isOn('gift-wrap'), work.flags.isOn('other')],
  };
  dispatcher.register([{ command: Welcome, receptor: welcome }]);
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
  const copy: MutationContext = {
    messageId: newUuid(),
    correlationId: 'c1',
    transport: 'local',
    scope: context.scope,
    headers: {},
    cancellationToken: context.cancellationToken,
    items: new Map(),
    metadata: {},
    flags: { isOn: () => false },
  };
  for (const given of [undefined, context, copy])
    assert.equal(await dispatcher.localInvoke(new Welcome(), undefined, given), [true, false]);
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
