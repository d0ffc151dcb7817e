import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Behavior, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import type { Observer } from '../../runtime/request/observer.js';
import { collect } from '../../runtime/kit/collect.js';
import { BreadBaked, oven, bakeBread, baking, kitchen } from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('dispatcher aborts');

class Noticed extends SystemEvent {}

test('a handler that never ends releases its slot at the deadline', async () => {
  let first = true;
  const { dispatcher } = kitchen(
    (...args) => {
      if (!first) return baking(...args);
      first = false;
      return new Promise(() => undefined);
    },
    { deadlineMs: 20 },
    { concurrency: 1 },
  );
  assert.is((await thrownBy(() => dispatcher.localInvoke(bakeBread))).code, 'deadline-exceeded');
  assert.is(await dispatcher.localInvoke(bakeBread), 'baked');
});

test('a command that waits for a slot is given up at its deadline', async () => {
  const { dispatcher } = kitchen(() => new Promise(() => undefined), { deadlineMs: 20 }, { concurrency: 1 });
  const refusals = await Promise.all([1, 2].map(() => thrownBy(() => dispatcher.localInvoke(bakeBread))));
  assert.equal(
    refusals.map(({ code }) => code),
    ['deadline-exceeded', 'deadline-exceeded'],
  );
});

test('a command that is given up while it waits for a slot has left its behaviors and its handler', async () => {
  const left: unknown[] = [];
  const notes: Behavior = {
    handle: async (_, next) => {
      try {
        return await next();
      } catch (error) {
        left.push(error);
        throw error;
      }
    },
  };
  const observer: Observer = {
    entered: (part) => ({ left: ({ outcome }) => left.push(`${part} ${outcome}`) }),
  };
  const ports = { behaviors: [notes], observer };
  const { dispatcher } = kitchen(() => new Promise(() => undefined), ports, { concurrency: 1 });
  void dispatcher.localInvoke(bakeBread).catch(() => undefined);
  const controller = new AbortController();
  const waiting = thrownBy(() => dispatcher.localInvoke(bakeBread, controller.signal));
  const reason = new Problem('changed my mind');
  controller.abort(reason);
  assert.is(await waiting, reason);
  await new Promise(setImmediate);
  assert.equal(left, [reason, 'handler failed']);
});

test('a late handler can no longer use its unit', async () => {
  const late: Promise<unknown>[] = [];
  const { dispatcher, store: watched } = kitchen(
    (_command, work) => {
      late.push(
        once(work.signal, 'abort')
          .then(() => new Promise(setImmediate))
          .then(() => work),
      );
      return new Promise(() => undefined);
    },
    { deadlineMs: 20 },
  );
  await thrownBy(() => dispatcher.localInvoke(bakeBread));
  const work = (await late[0]) as UnitOfWork;
  const acts = [
    () => work.append(oven, new BreadBaked()),
    () => work.defer(() => undefined),
    () => work.emit(new Noticed()),
    () => collect(work.read(oven)),
  ];
  for (const act of acts) assert.is((await thrownBy(act)).code, 'unit-closed');
  assert.equal(watched.attempts, []);
});

test('an aborted signal refuses the command before its handler', async () => {
  const { dispatcher } = kitchen(() => assert.unreachable());
  const reason = new Problem('changed my mind');
  assert.is(await thrownBy(() => dispatcher.localInvoke(bakeBread, AbortSignal.abort(reason))), reason);
});

test('an abort while the handler runs is the answer, and nothing is stored even if the handler returns', async () => {
  const controller = new AbortController();
  const { dispatcher, store: watched } = kitchen((...args) => {
    controller.abort(new Problem('changed my mind'));
    return baking(...args);
  });
  const refusal = await thrownBy(() => dispatcher.localInvoke(bakeBread, controller.signal));
  assert.is(refusal.code, 'changed my mind');
  assert.equal(watched.attempts, []);
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
  const { dispatcher } = kitchen(() => 'nothing to do', { behaviors: [aborting] });
  const refusal = await thrownBy(() => dispatcher.localInvoke(bakeBread, controller.signal));
  assert.is(refusal.code, 'changed my mind');
});

test('a behavior that never returns is given up at the deadline too', async () => {
  const silent: Behavior = { handle: () => new Promise(() => undefined) };
  const { dispatcher, stored } = kitchen(baking, { behaviors: [silent], deadlineMs: 20 });
  const problem = await thrownBy(() => dispatcher.localInvoke(bakeBread));
  assert.is(problem.code, 'deadline-exceeded');
  assert.equal(await stored(), []);
});
