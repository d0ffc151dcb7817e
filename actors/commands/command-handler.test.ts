import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { createActor } from 'xstate';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { commandHandler } from './command-handler.js';
import type { QueuedCommand } from './waiting-commands.js';
import { CommandKeys } from './command-keys.js';

const test = suite('command handler');

class Paint extends Command {
  wall!: string;
}

interface Running {
  readonly wall: string;
  finish(result: string): void;
}

/** A receptor whose commands run until the test lets them finish. */
function paused(options: Partial<Receptor<Command, unknown>> = {}, keys?: CommandKeys) {
  const running: Running[] = [];
  const receptor: Receptor<Command, unknown> = {
    handle: (command) =>
      new Promise((resolve) => {
        running.push({ wall: (command as Paint).wall, finish: resolve });
      }),
    ...options,
  };
  const actor = createActor(commandHandler, { input: { name: 'Paint', receptor, keys } }).start();
  const enter = (wall: string, within: readonly QueuedCommand[] = [], tenant?: string, isNested = false) => {
    const answers: unknown[] = [];
    const attempt: QueuedCommand = {
      command: Paint.of({ wall }),
      tenant,
      isNested,
      work: { signal: new AbortController().signal } as UnitOfWork,
      status: 'none',
      slot: 0,
      key: undefined,
      keys: undefined,
      ticket: undefined,
      isInvokedBy: (other) => within.includes(other),
      succeed: (result) => answers.push(result),
      fail: (error) => answers.push(error),
    };
    actor.send({ type: 'enter', attempt });
    return { answers, attempt, leave: () => actor.send({ type: 'leave', attempt }) };
  };
  return { actor, running, enter, walls: () => running.map(({ wall }) => wall) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('commands run in parallel by default', () => {
  const { enter, walls } = paused();
  enter('north');
  enter('south');
  assert.equal(walls(), ['north', 'south']);
});

test('while there are others, a tenant leaves slots to them; alone it has all', () => {
  const { enter, running, walls } = paused({ concurrency: 8 });
  const loud = Array.from({ length: 12 }, () => enter('loud', [], 'loud'));
  assert.is(running.length, 8);
  enter('quiet', [], 'quiet');
  loud[0]?.leave();
  loud[1]?.leave();
  assert.equal(walls().slice(8), ['quiet']);
  enter('quiet', [], 'quiet');
  assert.equal(walls().slice(9), ['quiet']);
  loud[2]?.leave();
  assert.equal(walls().slice(10), ['loud']);
});

test('a command that another one of its tenant waits for takes any slot, also behind those that may not', () => {
  const { enter, running, walls } = paused({ concurrency: 4 });
  const quiet = enter('quiet', [], 'quiet');
  for (let n = 0; n < 4; n++) enter('loud', [], 'loud');
  assert.is(running.length, 4);
  enter('nested', [], 'loud', true);
  quiet.leave();
  assert.equal(walls().slice(4), ['nested']);
});

test('receptors with one queue share their keys, and take turns', () => {
  const keys = new CommandKeys();
  const key = (command: Command) => (command as Paint).wall;
  const handlers = [paused({ key }, keys), paused({ key }, keys), paused({ key }, keys)] as const;
  const entered = [1, 2].flatMap(() => handlers.map(({ enter }) => enter('north')));
  const runs = () => handlers.map(({ walls }) => walls().length);
  assert.equal(runs(), [1, 0, 0]);
  const order = [0, 1, 2, 3, 4].map((index) => {
    entered[index]?.leave();
    return runs();
  });
  assert.equal(order, [
    [1, 1, 0],
    [1, 1, 1],
    [2, 1, 1],
    [2, 2, 1],
    [2, 2, 2],
  ]);
  handlers[0].enter('south');
  assert.equal(runs(), [3, 2, 2]);
});

test('a command that would wait for the key of the one that invoked it is refused at once, naming both', () => {
  const { enter, walls } = paused({ key: (command) => (command as Paint).wall });
  const { attempt: outer } = enter('north');
  const { answers } = enter('north', [outer]);
  const [refusal] = answers as Problem[];
  assert.is(refusal?.code, 'waits-for-itself');
  assert.match(refusal?.message ?? '', /^Paint has the same key, 'north', as Paint, which invoked it/);
  assert.equal(enter('north').answers, []);
  enter('south', [outer]);
  assert.equal(walls(), ['north', 'south']);
});

test('a command that would wait for the last slot, held by the command that invoked it, is refused at once', () => {
  const { enter } = paused({ concurrency: 2 });
  const { attempt: outer } = enter('north');
  const { attempt: inner, leave } = enter('south', [outer]);
  const [refusal] = enter('west', [outer, inner]).answers as Problem[];
  assert.is(refusal?.code, 'waits-for-itself');
  assert.match(refusal?.message ?? '', /^Paint is invoked by Paint, which holds the last slot/);
  leave();
  enter('east');
  assert.equal(enter('west', [outer]).answers, []);
});

test('the result of the receptor is the answer', async () => {
  const { enter, running } = paused();
  const { answers } = enter('north');
  running[0]?.finish('painted');
  await settled();
  assert.equal(answers, ['painted']);
});

test('an error of the receptor is the answer, and the next command runs', async () => {
  const { enter } = paused({
    handle: (command) => {
      if ((command as Paint).wall === 'wet') throw new Problem('wet');
      return 'painted';
    },
  });
  const wet = enter('wet');
  const dry = enter('dry');
  await settled();
  assert.is((wet.answers[0] as Problem).code, 'wet');
  assert.equal(dry.answers, ['painted']);
});

test('no more commands run at once than the receptor allows; the others wait in order', async () => {
  const { enter, walls } = paused({ concurrency: 1 });
  const first = enter('north');
  enter('south');
  enter('east');
  assert.equal(walls(), ['north']);
  first.leave();
  assert.equal(walls(), ['north', 'south']);
});

test('commands with the same key run one after another, others in parallel', () => {
  const { enter, walls } = paused({ key: (command) => (command as Paint).wall });
  const first = enter('north');
  enter('north');
  enter('south');
  assert.equal(walls(), ['north', 'south']);
  first.leave();
  assert.equal(walls(), ['north', 'south', 'north']);
});

test('a slot is held until the command leaves, so that it covers the commit', async () => {
  const { enter, running, walls } = paused({ concurrency: 1 });
  const first = enter('north');
  enter('south');
  running[0]?.finish('painted');
  await settled();
  assert.equal(walls(), ['north'], 'the receptor has returned, its commit is in flight');
  first.leave();
  assert.equal(walls(), ['north', 'south']);
});

test('a full mailbox answers overloaded, and has room again when a waiting command gives up', () => {
  const { enter, walls } = paused({ concurrency: 1, mailbox: 1 });
  const first = enter('north');
  const second = enter('south');
  const third = enter('east');
  assert.is((third.answers[0] as Problem).code, 'overloaded');
  second.leave();
  const fourth = enter('west');
  assert.equal(fourth.answers, []);
  first.leave();
  assert.equal(walls(), ['north', 'west']);
});

test('in whatever order commands leave, each slot is freed once and taken by the next in line', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 40 }), (leaving) => {
      const { enter, walls } = paused({ concurrency: 4, mailbox: 40 });
      const inside = Array.from({ length: 10 }, (_, wall) => enter(String(wall)));
      let entered = inside.length;
      for (const at of leaving) {
        const [left] = inside.splice(at % inside.length, 1, enter(String(entered++)));
        left?.leave();
        const running = inside.filter(({ attempt }) => attempt.status === 'running');
        assert.is(running.length, 4);
        assert.is(new Set(running.map(({ attempt }) => attempt.slot)).size, 4);
      }
      assert.equal(
        walls(),
        [...walls()].sort((a, b) => Number(a) - Number(b)),
      );
    }),
  );
});

test('leaving twice frees only one slot', () => {
  const { enter, walls } = paused({ concurrency: 1 });
  const first = enter('north');
  enter('south');
  enter('east');
  first.leave();
  first.leave();
  assert.equal(walls(), ['north', 'south']);
});

test('an error of the key function fails only its own command', () => {
  const { enter } = paused({
    key: () => {
      throw new Problem('no key');
    },
  });
  assert.is((enter('north').answers[0] as Problem).code, 'no key');
});

test('a stopped handler refuses waiting commands', () => {
  const { actor, enter } = paused({ concurrency: 1 });
  enter('north');
  const waiting = enter('south');
  actor.stop();
  assert.is((waiting.answers[0] as Problem).code, 'draining');
});

test('in a full mailbox the tenant with the most waiting gives way to another, which is never refused', async () => {
  const { enter, running, walls } = paused({ concurrency: 1, mailbox: 4 });
  const codeOf = ({ answers }: { readonly answers: readonly unknown[] }) =>
    (answers[0] as Problem | undefined)?.code;
  const big = Array.from({ length: 8 }, (_, n) => enter(`big ${n}`, [], 'big'));
  assert.equal(big.map(codeOf), [...Array<undefined>(5), 'overloaded', 'overloaded', 'overloaded']);
  const small = ['north', 'south'].map((tenant) => enter(tenant, [], tenant));
  assert.equal(small.map(codeOf), [undefined, undefined]);
  assert.equal(big.slice(0, 5).map(codeOf), [undefined, undefined, undefined, 'overloaded', 'overloaded']);
  for (const { leave } of [big[0], big[1], small[0]].flatMap((one) => one ?? [])) {
    running.at(-1)?.finish('done');
    await settled();
    leave();
  }
  assert.equal(walls(), ['big 0', 'big 1', 'north', 'south']);
});

test('the more of a tenant wait, the later it is asked to come again', () => {
  const { enter } = paused({ concurrency: 1, mailbox: 600 });
  for (let n = 0; n <= 600; n++) enter(String(n), [], 'big');
  const refused = enter('more', [], 'big').answers[0] as Problem;
  assert.is(refused.retryAfter, 3);
});
