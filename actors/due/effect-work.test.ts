import * as assert from 'uvu/assert';
import type { Decode } from '../../contracts/codec.js';
import { EffectRefused, TryLater } from '../../contracts/effect.js';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Duration } from '../../contracts/scalars.js';
import type { Sealing } from '../../contracts/sealing.js';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { effectInMemory } from '../testing/effect-in-memory.js';
import { LabelPrinted, PrintLabel } from '../testing/label-printing.js';

const test = suite('calls of effects');

test('a call that does not heed its signal counts until it ends, also after its timeout', async () => {
  const calls: (() => void)[] = [];
  const { ask, clock, figures, work } = effectInMemory({
    concurrency: 2,
    timeout: 'PT0.02S',
    call: () => new Promise<void>((resolve) => calls.push(resolve)),
  });
  await ask(3);
  await work.look();
  await work.ended();
  clock.advance('PT1H');
  await work.look();
  assert.equal([calls.length, figures.running, figures.counts.retrying], [2, 2, 2]);
  calls[0]?.();
  await until(() => figures.running === 1);
  await work.look();
  assert.is(calls.length, 3);
  for (const end of calls) end();
  await work.ended();
});

test('the place of a call is free when it is answered: the next one does not wait until its outcome is stored', async () => {
  let calls = 0;
  let store = (): void => undefined;
  const isBack = new Promise<void>((resolve) => (store = resolve));
  const { ask, figures, work } = effectInMemory(
    { concurrency: 1, call: async () => void calls++ },
    (commit) => async (unit) => {
      await isBack;
      return commit(unit);
    },
  );
  await ask(2);
  await work.look();
  await until(() => figures.running === 0);
  await work.look();
  assert.equal([calls, figures.counts.done], [2, 0]);
  store();
  await work.ended();
  assert.is(figures.counts.done, 2);
});

test('with one place for all, lanes are called in turn, whichever of them asked first', async () => {
  const lanes = new Map<string, string>();
  const asked = ['a', 'b', 'c'].flatMap((name) => [name, name, name]);
  const called: string[] = [];
  const { ask, store, work } = effectInMemory({
    concurrency: 1,
    lane: ({ orderId }: PrintLabel) => {
      lanes.set(orderId, asked[lanes.size] ?? '');
      return lanes.get(orderId) ?? '';
    },
    call: async ({ orderId }: PrintLabel) => void called.push(lanes.get(orderId) ?? ''),
  });
  await ask(asked.length);
  while (store.effects.requests.length > 0) {
    await work.look();
    await work.ended();
  }
  assert.is(called.join(' '), 'a b c a b c a b c');
});

test('another system that says to try again at once is called again after a second', async () => {
  const { ask, store, work } = effectInMemory({
    call: () => Promise.reject(new TryLater('PT0S')),
  });
  await ask(1);
  await work.look();
  await work.ended();
  assert.equal(
    store.effects.requests.map(({ dueInMs, parked }) => [dueInMs, parked]),
    [[1_000, false]],
  );
});

test('a time to try again that cannot be read is a failed attempt, and parks nothing', async () => {
  for (const after of ['PTWed, 21 Oct 2026S', 'PT999999999999S', '-PT5S']) {
    const { ask, figures, store, work } = effectInMemory({
      call: () => Promise.reject(new TryLater(after as Duration)),
    });
    await ask(1);
    await work.look();
    await work.ended();
    assert.equal([figures.counts.retrying, store.effects.requests[0]?.parked], [1, false], after);
  }
});

test('an answer that arrives while the store is away is stored when it is back, without another call', async () => {
  let [calls, refused] = [0, 0];
  const { ask, store, work } = effectInMemory({ call: async () => void calls++ }, (commit) => (...unit) => {
    if (refused === 2) return commit(...unit);
    refused++;
    return Promise.reject(new Problem('store-unavailable'));
  });
  await ask(1);
  await work.look();
  await work.ended();
  assert.equal([calls, refused, store.effects.requests], [1, 2, []]);
});

test('a call that took too long for the last time is given up while the store is away, without another call', async () => {
  let [calls, refused] = [0, 0];
  const { ask, figures, store, work } = effectInMemory(
    {
      timeout: 'PT0.02S',
      retries: { attempts: 1 },
      stream: ({ orderId }: PrintLabel) => orderId,
      call: () => new Promise<void>(() => calls++),
      failed: ({ orderId }: PrintLabel) => LabelPrinted.of({ orderId }),
    },
    (commit) =>
      (...unit) =>
        refused++ < 2 ? Promise.reject(new Problem('store-unavailable')) : commit(...unit),
  );
  await ask(1);
  await work.look();
  await work.ended();
  assert.equal([calls, figures.counts.failed, store.effects.requests], [1, 1, []]);
});

test('what another system has written into a refusal is stored as far as it can be', async () => {
  const { ask, store, work } = effectInMemory({
    call: () => Promise.reject(new EffectRefused(`no\0-paper${'!'.repeat(100_000)}`, '\0'.repeat(9) + 'jam')),
  });
  await ask(1);
  await work.look();
  await work.ended();
  const [request] = store.effects.requests;
  assert.is(request?.parked, true);
  assert.match(request?.error ?? '', /^no-paper!{1,200}: jam$/);
});

test('a refusal whose code is no text is parked, too', async () => {
  for (const [code, shown] of [
    [undefined, 'undefined'],
    [{ reason: 7 }, '[object Object]'],
  ] as const) {
    const { ask, store, work } = effectInMemory({
      call: () => Promise.reject(new EffectRefused(code as never, 'jam')),
    });
    await ask(1);
    await work.look();
    await work.ended();
    assert.equal(
      store.effects.requests.map(({ error }) => error),
      [`${shown}: jam`],
    );
  }
});

test('an outcome of more than 64 KiB is parked, whatever the other system has sent', async () => {
  const { ask, store, work } = effectInMemory({
    stream: ({ orderId }: PrintLabel) => orderId,
    call: ({ orderId }: PrintLabel) =>
      Promise.resolve(LabelPrinted.of({ orderId, text: 'x'.repeat(70_000) } as never)),
  });
  await ask(1);
  await work.look();
  await work.ended();
  assert.match(store.effects.requests[0]?.error ?? '', /^effect-invalid: .+ at most 64 KiB together/);
});

test('an effect whose stream has no UUID is not asked for: its outcome could not be stored', async () => {
  const { ask, store } = effectInMemory({ stream: () => 'nowhere', call: () => Promise.resolve() });
  const failure: unknown = await ask(1).catch((error: unknown) => error);
  assert.match(String(failure), 'stream of printer must return a UUID.');
  assert.equal(store.effects.requests, []);
});

test('a request that does not fit its command any more is parked, and one without a new field gets its default', async () => {
  const called: object[] = [];
  const decode =
    (field: string): Decode<Command> =>
    (value, path, faults) => {
      const from = value as Readonly<Record<string, unknown>>;
      if (from[field] === undefined) faults.push({ path: `${path}/${field}`, message: 'is required' });
      return Object.assign(PrintLabel.of({ orderId: 'not this one' }), { copies: 1 });
    };
  const call = async (request: PrintLabel) => void called.push(Object.assign({}, request));
  for (const field of ['printerId', 'orderId']) {
    const { ask, store, work } = effectInMemory({ call }, undefined, undefined, decode(field));
    await ask(1);
    await work.look();
    await work.ended();
    const isParked = field === 'printerId';
    assert.equal(
      store.effects.requests.map(({ error }) => error),
      isParked ? ['request-version: It does not fit PrintLabel: /printerId is required.'] : [],
    );
  }
  assert.equal(called, [{ orderId: (called[0] as PrintLabel).orderId, copies: 1 }]);
  assert.is.not((called[0] as PrintLabel).orderId, 'not this one');
});

test('while the keys of subjects cannot be read, nothing is called, and no attempt is counted', async () => {
  let isAway = true;
  const calls: number[] = [];
  const openCommand = async <T extends object>(command: T): Promise<T> => {
    if (isAway) throw new Problem('subject-keys-unavailable');
    return command;
  };
  const { ask, clock, figures, work } = effectInMemory(
    { retries: { attempts: 2 }, call: async (_, { attempt }) => void calls.push(attempt) },
    undefined,
    { has: () => true, openCommand } as unknown as Sealing,
  );
  await ask(1);
  for (let n = 0; n < 5; n++) {
    await work.look();
    await work.ended();
    clock.advance('PT2S');
  }
  assert.equal([calls, figures.counts.later], [[], 5]);
  isAway = false;
  await work.look();
  await work.ended();
  assert.equal([calls, figures.counts.done], [[1], 1]);
});

test('an inspector is shown that a request is called for, and how that ended, never its command', async () => {
  const { ask, moved, work } = effectInMemory({ call: () => Promise.resolve() });
  await ask(1);
  await work.look();
  await work.ended();
  assert.equal(
    moved.map(({ name, steps, hasEnded }) => [name, steps, hasEnded]),
    [
      ['printer', [{ event: 'claimed', to: 'running' }], false],
      ['printer', [{ event: 'done', to: 'done' }], true],
    ],
  );
  assert.equal(new Set(moved.map(({ key }) => key)).size, 1);
});

test('a claim looks at few lanes while they give it enough, and at more of them when they do not', async () => {
  const reaches: number[] = [];
  const { ask, store, work } = effectInMemory({
    call: () => Promise.resolve(),
    lane: ({ orderId }: PrintLabel) => orderId,
  });
  const claim = store.effects.claim.bind(store.effects);
  store.effects.claim = (request) => {
    reaches.push(request.reach);
    return claim(request);
  };
  await ask(70);
  for (let look = 0; look < 4; look++) {
    await work.look();
    await work.ended();
  }
  assert.equal(reaches, [16, 16, 32, 64]);
});
