import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { Behavior, Receptor } from '../../contracts/receptor.js';
import { InMemoryEventStore } from '../../runtime/testing/in-memory-event-store.js';
import { LocalDispatcher } from './dispatcher.js';
import { Deposit, Welcome, deposit, store, bank } from '../testing/bank-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('dispatcher behaviors');

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

test.run();
