import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { LocalDispatcher } from '../commands/dispatcher.js';
import { stageCommand } from './stage-command.js';

const test = suite('a command of a step that fails');

class Ship extends Command {}
class Pack extends Command {}

/** What is reported when the receptor of Ship, or of Pack inside it, throws. */
async function reportedOf(failure: unknown, isThrownBy = Ship): Promise<readonly string[]> {
  const reported: string[] = [];
  const store = new InMemoryEventStore();
  const dispatcher: LocalDispatcher = new LocalDispatcher({
    store,
    onFailure: ({ constructor }, thrown) => {
      assert.is(thrown, failure);
      reported.push(constructor.name);
    },
  });
  const fail = (): never => {
    throw failure;
  };
  dispatcher.register([
    { command: Pack, receptor: { handle: fail } },
    {
      command: Ship,
      receptor: {
        handle: (_command, work) =>
          isThrownBy === Ship ? fail() : dispatcher.localInvoke(new Pack(), undefined, work.context),
      },
    },
  ]);
  const context = new RequestContext({ transport: 'reaction', cancellation: new Cancellation() });
  const at = { step: dispatcher.openStep(), looksForNames: false };
  const staged = stageCommand(new Ship(), context, at, { dispatcher, reactions: store.reactions });
  assert.is(await staged.catch((thrown: unknown) => thrown), failure);
  return reported;
}

test('is reported, whether it was refused or its receptor is broken', async () => {
  assert.equal(await reportedOf(new Problem('sold-out', { status: 422 })), ['Ship']);
  assert.equal(await reportedOf(new Problem('request-timeout')), ['Ship']);
  assert.equal(await reportedOf(new TypeError('undefined is not a function')), ['Ship']);
});

test('is reported, and so is the command that invoked it', async () =>
  assert.equal(await reportedOf(new Problem('sold-out', { status: 422 }), Pack), ['Pack', 'Ship']));

for (const command of [Ship, Pack])
  test(`is not reported when the step of ${command.name} runs again without an attempt`, async () => {
    assert.equal(await reportedOf(new Problem('stream-conflict'), command), []);
    assert.equal(await reportedOf(new Problem('overloaded'), command), []);
  });
