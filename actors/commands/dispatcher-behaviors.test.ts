import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { Behavior, Receptor } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { LocalDispatcher } from './dispatcher.js';
import { BakeBread, PeekInside, bakeBread, baking, kitchen } from '../testing/bakery-service.js';
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
  const { dispatcher } = kitchen(
    (...args) => {
      diary.push('handler');
      args[1].defer(() => void diary.push('committed'));
      return baking(...args);
    },
    { behaviors: [noting('audit', diary), noting('timing', diary)] },
  );
  await dispatcher.localInvoke(bakeBread);
  assert.equal(diary, ['audit in', 'timing in', 'handler', 'timing out', 'audit out', 'committed']);
});

test('a behavior that fails after the handler prevents the commit', async () => {
  const failing: Behavior = {
    handle: async (_command, next) => {
      await next();
      throw new Problem('not audited');
    },
  };
  const { dispatcher, store: watched } = kitchen(baking, { behaviors: [failing] });
  assert.is((await thrownBy(() => dispatcher.localInvoke(bakeBread))).code, 'not audited');
  assert.equal(watched.commits, []);
});

test('a behavior may answer without the handler', async () => {
  const answering: Behavior = { handle: async <T>() => 'cached' as T };
  const { dispatcher } = kitchen(() => assert.unreachable(), { behaviors: [answering] });
  assert.is(await dispatcher.localInvoke(bakeBread), 'cached');
});

test("a behavior finds the receptor's name in the context", async () => {
  class BreadBaker implements Receptor<BakeBread, unknown> {
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
    { command: BakeBread, receptor: new BreadBaker() },
    { command: PeekInside, receptor: { handle: () => 'hello' } },
  ]);
  await dispatcher.localInvoke(bakeBread);
  await dispatcher.localInvoke(new PeekInside());
  assert.equal(names, ['BreadBaker', 'PeekInsideReceptor']);
});
