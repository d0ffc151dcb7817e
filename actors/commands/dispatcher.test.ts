import * as assert from 'uvu/assert';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { LocalDispatcher } from './dispatcher.js';
import { BakeBread, PeekInside, BreadBaked, bakeBread, baking, kitchen } from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('dispatcher');

test('a command is handled, its unit is committed once, and only then the result is returned', async () => {
  const { dispatcher, store: watched, stored } = kitchen();
  assert.is(await dispatcher.localInvoke(bakeBread), 'baked');
  assert.is(watched.attempts.length, 1);
  assert.is((await stored()).length, 1);
});

test('a command that stages nothing needs no commit', async () => {
  const { dispatcher, store: watched } = kitchen(() => 'nothing to do');
  assert.is(await dispatcher.localInvoke(bakeBread), 'nothing to do');
  assert.equal(watched.attempts, []);
});

test('when the handler throws, nothing of its unit is stored', async () => {
  const { dispatcher, store: watched } = kitchen((...args) => {
    void baking(...args);
    throw new Problem('broke', { status: 402 });
  });
  assert.is((await thrownBy(() => dispatcher.localInvoke(bakeBread))).code, 'broke');
  assert.equal(watched.attempts, []);
});

test('an event carries the ids of the command that caused it', async () => {
  const { dispatcher, stored } = kitchen();
  const context = new RequestContext({
    transport: 'rest',
    cancellation: new Cancellation(),
    correlationId: 'c1',
  });
  await dispatcher.localInvoke(bakeBread, undefined, context);
  const [event] = await stored();
  assert.equal([event?.causationId, event?.correlationId], [context.messageId, 'c1']);
});

test('a command invoked inside another has a unit of its own, and the outer command as its cause', async () => {
  const { dispatcher, store: watched, stored } = kitchen();
  const contexts: MutationContext[] = [];
  const peek: Receptor<PeekInside, unknown> = {
    handle: async (_command, work) => {
      contexts.push(work.context);
      await dispatcher.localInvoke(bakeBread, work.signal, work.context);
      throw new Problem('changed my mind');
    },
  };
  dispatcher.register([{ command: PeekInside, receptor: peek }]);
  await thrownBy(() => dispatcher.localInvoke(new PeekInside()));
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
  const peek: Receptor<PeekInside, unknown> = {
    handle: (_command, work) => [work.flags.isOn('gift-wrap'), work.flags.isOn('other')],
  };
  dispatcher.register([{ command: PeekInside, receptor: peek }]);
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
    assert.equal(await dispatcher.localInvoke(new PeekInside(), undefined, given), [true, false]);
});

test('the outer unit can still be used after an inner command', async () => {
  const { dispatcher, stored } = kitchen();
  const peek: Receptor<PeekInside, unknown> = {
    handle: async (_command, work) => {
      await dispatcher.localInvoke(bakeBread, work.signal, work.context);
      work.append(newUuid(), new BreadBaked());
    },
  };
  dispatcher.register([{ command: PeekInside, receptor: peek }]);
  await dispatcher.localInvoke(new PeekInside());
  assert.is((await stored()).length, 2);
});

test('deferred tasks run after the commit, and their failure changes nothing', async () => {
  const failures: string[] = [];
  const diary: string[] = [];
  const { dispatcher, stored } = kitchen(
    (...args) => {
      const [, work] = args;
      work.defer(async () => {
        diary.push(`first, ${(await stored()).length} stored`);
      });
      work.defer(() => {
        throw new Problem('no stamp');
      });
      work.defer(() => Promise.reject(new Problem('no ink')));
      work.defer(() => void diary.push('last'));
      return baking(...args);
    },
    { onDeferredFailure: (error) => failures.push((error as Problem).code) },
  );
  assert.is(await dispatcher.localInvoke(bakeBread), 'baked');
  await new Promise(setImmediate);
  assert.equal(diary.toSorted(), ['first, 1 stored', 'last']);
  assert.equal(failures.toSorted(), ['no ink', 'no stamp']);
});

test('tasks deferred by a command that fails do not run', async () => {
  const diary: string[] = [];
  const { dispatcher } = kitchen((_command, work) => {
    work.defer(() => void diary.push('ran'));
    throw new Problem('broke');
  });
  await thrownBy(() => dispatcher.localInvoke(bakeBread));
  await new Promise(setImmediate);
  assert.equal(diary, []);
});

test('the start names commands without a receptor', () => {
  const { dispatcher } = kitchen();
  assert.not.throws(() => dispatcher.mustHandle([BakeBread]));
  assert.throws(
    () => dispatcher.mustHandle([BakeBread, PeekInside]),
    /^No receptor handles PeekInside; add a class/,
  );
});

test('a command without a receptor is named when it is sent', async () => {
  const { dispatcher } = kitchen();
  const refusal = await thrownBy(() => dispatcher.localInvoke(new PeekInside()));
  assert.equal([refusal.code, refusal.message], ['invalid-setup', 'No receptor handles PeekInside.']);
});

test('two receptors for one command are refused, naming the command', () => {
  const { dispatcher } = kitchen();
  const again = () => dispatcher.register([{ command: BakeBread, receptor: { handle: baking } }]);
  assert.throws(again, /^Command BakeBread has two receptors/);
});

test('a stopped dispatcher refuses waiting commands', () =>
  withFakeTimeouts(async (clock) => {
    const { dispatcher } = kitchen(
      () => new Promise(() => undefined),
      { deadlineMs: 500 },
      { concurrency: 1 },
    );
    const running = thrownBy(() => dispatcher.localInvoke(bakeBread));
    const waiting = thrownBy(() => dispatcher.localInvoke(bakeBread));
    await new Promise(setImmediate);
    dispatcher.stop();
    assert.is((await waiting).code, 'draining');
    clock.advance(500);
    assert.is((await running).code, 'deadline-exceeded');
  }));

test('a command that arrives after the stop is refused, not forgotten', async () => {
  const { dispatcher } = kitchen(baking, { deadlineMs: 2_000 });
  dispatcher.stop();
  assert.is((await thrownBy(() => dispatcher.localInvoke(bakeBread))).code, 'draining');
});

test('before the host has started, commands are refused', async () => {
  const refusal = await thrownBy(() => new LocalDispatcher().localInvoke(bakeBread));
  assert.is(refusal.status, 503);
  assert.is(refusal.message, 'The host has not started yet.');
});

test('a started dispatcher passes on every command', async () => {
  const dispatcher = new LocalDispatcher();
  const received: unknown[] = [];
  const receptor: Receptor<BakeBread, unknown> = {
    handle: (command, { signal, context }) => {
      received.push(command, signal, context);
      return 'baked';
    },
  };
  dispatcher.start({ store: new InMemoryEventStore() }, [{ command: BakeBread, receptor }]);
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation() });
  assert.is(await dispatcher.localInvoke(bakeBread, undefined, context), 'baked');
  assert.is(received.length, 3);
  [bakeBread, context.cancellationToken, context].forEach((one, index) => assert.is(received[index], one));
});

test('an application may pass on localInvoke without its dispatcher', async () => {
  const { localInvoke } = kitchen().dispatcher;
  assert.is(await localInvoke(bakeBread), 'baked');
});

test('a receptor that is registered before the start is refused', () => {
  const early = () => new LocalDispatcher().register([{ command: BakeBread, receptor: { handle: baking } }]);
  assert.throws(early, /has not started yet/);
});

test('a nested command with the key of one that invoked it is refused at once, however deep the nesting', async () => {
  const { dispatcher } = kitchen(
    (_command, work) => dispatcher.localInvoke(new PeekInside(), work.signal, work.context),
    {},
    { key: ({ customer }) => customer },
  );
  dispatcher.register([
    {
      command: PeekInside,
      receptor: {
        handle: (_command, work) => dispatcher.localInvoke(bakeBread, work.signal, work.context),
      },
    },
  ]);
  const refusal = await thrownBy(() => dispatcher.localInvoke(bakeBread));
  assert.is(refusal.code, 'waits-for-itself');
  assert.match(refusal.message, bakeBread.customer);
});
