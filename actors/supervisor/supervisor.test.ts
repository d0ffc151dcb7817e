import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { restartDefaults } from './restart-policy.js';
import type { Child } from './child.js';
import { supervisedChildMachine } from './supervised-child-machine.js';
import { Supervisor, supervisorMachine } from './supervisor.js';

const test = suite('supervisor');

/** A child that records what happens to it, and crashes on demand. */
class Watchman implements Child {
  lives = 0;
  crash: (error: unknown) => void = () => assert.unreachable('it was never started');

  constructor(
    readonly name: string,
    readonly diary: string[],
    readonly more: {
      isVital?: boolean;
      stopWithinMs?: number;
      onStart?: () => unknown;
      onStop?: () => unknown;
    } = {},
  ) {}

  get isVital() {
    return this.more.isVital ?? false;
  }

  get stopWithinMs() {
    return this.more.stopWithinMs ?? 1_000;
  }

  async start(crashed: (error: unknown) => void) {
    this.lives++;
    this.crash = crashed;
    await this.more.onStart?.();
    this.diary.push(`${this.name} up`);
    return {
      mailbox: 3,
      stop: async () => {
        await this.more.onStop?.();
        this.diary.push(`${this.name} down`);
      },
    };
  }
}

const atOnce = { ...restartDefaults, restarts: 3, firstDelayMs: 0 };
const supervisor = () => new Supervisor({ policy: atOnce });

async function until(isSo: () => boolean): Promise<void> {
  for (let n = 0; n < 2_000 && !isSo(); n++) await delay(1);
  assert.ok(isSo(), 'the condition was never met');
}

test('children start in order and stop in reverse', async () => {
  const diary: string[] = [];
  const tree = supervisor();
  for (const name of ['store', 'relay', 'http']) await tree.start(new Watchman(name, diary));
  await tree.stop();
  assert.equal(diary, ['store up', 'relay up', 'http up', 'http down', 'relay down', 'store down']);
  assert.is(await tree.ended, undefined);
});

test('one child can be removed: it stops, leaves the tree, and the others run on', async () => {
  const diary: string[] = [];
  const tree = supervisor();
  const [store, relay] = [new Watchman('store', diary), new Watchman('relay', diary)];
  await tree.start(store);
  await tree.start(relay);
  await tree.remove(store);
  await tree.remove(store);
  assert.equal(diary, ['store up', 'relay up', 'store down']);
  assert.equal(
    tree.tree.map(({ name, state }) => [name, state]),
    [['relay', 'running']],
  );
  await tree.start(store);
  await tree.stop();
  assert.equal(diary.slice(3), ['store up', 'store down', 'relay down']);
  assert.is(await tree.ended, undefined);
});

test('a child that failed its first start can be removed and started again', async () => {
  const diary: string[] = [];
  const tree = supervisor();
  let fails = true;
  const relay = new Watchman('relay', diary, {
    onStart: () => {
      if (fails) throw new Error('not yet');
    },
  });
  assert.is(
    await tree.start(relay).then(
      () => 'started',
      () => 'failed',
    ),
    'failed',
  );
  await tree.remove(relay);
  assert.equal(tree.tree, []);
  fails = false;
  await tree.start(relay);
  await tree.stop();
  assert.equal(diary, ['relay up', 'relay down']);
});

test('starting a child returns what it started', async () => {
  const tree = supervisor();
  const { answer } = await tree.start({
    name: 'oracle',
    start: () => ({ answer: 42, stop: () => undefined }),
  });
  assert.is(answer, 42);
  await tree.stop();
});

test('a child that crashes is stopped and started again, and no other is affected', async () => {
  const diary: string[] = [];
  const tree = supervisor();
  const relay = new Watchman('relay', diary);
  await tree.start(new Watchman('store', diary));
  await tree.start(relay);
  await tree.start(new Watchman('http', diary));
  relay.crash(new RangeError('out of paper'));
  await until(() => relay.lives === 2 && tree.tree[1]?.state === 'running');
  assert.equal(diary.slice(3), ['relay down', 'relay up']);
  const { since, ...status } = tree.tree[1] ?? { since: 0 };
  assert.equal(status, {
    name: 'relay',
    state: 'running',
    restarts: 1,
    lastError: 'out of paper',
    mailbox: 3,
  });
  assert.ok(Date.now() - since < 60_000);
  assert.equal(
    tree.tree.map((child) => child.restarts),
    [0, 1, 0],
  );
  await tree.stop();
});

test('a crash that needs no delay is restarted at once, and does not count', async () => {
  const tree = new Supervisor({
    random: () => 1,
    policy: { ...restartDefaults, restarts: 2, firstDelayMs: 60_000 },
  });
  const host = Object.assign(new Watchman('host', []), { restartsAtOnce: () => true });
  await tree.start(host);
  for (let life = 1; life <= 5; life++) {
    host.crash(new RangeError('a command blocked it'));
    await until(() => host.lives === life + 1 && tree.tree[0]?.state === 'running');
  }
  await tree.stop();
});

test('a restart that fails counts as a crash', async () => {
  const tree = supervisor();
  let attempts = 0;
  const relay = new Watchman('relay', [], {
    onStart: () => {
      if (++attempts === 2) throw new RangeError('still out of paper');
    },
  });
  await tree.start(relay);
  relay.crash(new RangeError('out of paper'));
  await until(() => tree.tree[0]?.restarts === 2 && tree.tree[0].state === 'running');
  assert.is(tree.tree[0]?.lastError, 'still out of paper');
  await tree.stop();
});

test('a child that crashes while it starts is restarted too', async () => {
  const tree = supervisor();
  const relay: Watchman = new Watchman('relay', [], {
    onStart: () => relay.lives === 1 && relay.crash(new RangeError('early')),
  });
  await tree.start(relay);
  await until(() => tree.tree[0]?.restarts === 1 && tree.tree[0].state === 'running');
  await tree.stop();
});

test('what an earlier start reports does not affect the current one', async () => {
  const tree = supervisor();
  const relay = new Watchman('relay', []);
  await tree.start(relay);
  const { crash } = relay;
  for (let n = 0; n < 5; n++) crash(new RangeError('again'));
  await until(() => relay.lives === 2 && tree.tree[0]?.state === 'running');
  crash(new RangeError('again'));
  await delay(20);
  assert.is(tree.tree[0]?.restarts, 1);
  await tree.stop();
});

test('too many crashes of one child stop all in reverse order, with the reason', async () => {
  const diary: string[] = [];
  const tree = supervisor();
  const relay = new Watchman('relay', diary, {
    onStart: () => {
      if (relay.lives > 1) throw new RangeError('no paper anywhere');
    },
  });
  for (const child of [new Watchman('store', diary), relay, new Watchman('http', diary)])
    await tree.start(child);
  relay.crash(new RangeError('out of paper'));
  const reason = await tree.ended;
  assert.is((reason as Error).message, 'relay cannot be kept running: no paper anywhere');
  assert.equal(diary.slice(3), ['relay down', 'http down', 'store down']);
  assert.is(relay.lives, 1 + atOnce.restarts);
  assert.is(tree.tree[1]?.state, 'failed');
  await tree.stop();
});

test('the crash of a vital child stops all at once', async () => {
  const diary: string[] = [];
  const tree = supervisor();
  const store = new Watchman('store', diary, { isVital: true });
  await tree.start(store);
  await tree.start(new Watchman('http', diary));
  store.crash(new RangeError('the disk is gone'));
  assert.match(String(await tree.ended), 'the disk is gone');
  assert.equal([store.lives, diary.at(-1)], [1, 'http down']);
});

test('a child that fails its first start is reported to the caller, and the others stop on request', async () => {
  const diary: string[] = [];
  const tree = supervisor();
  await tree.start(new Watchman('store', diary));
  const http = new Watchman('http', diary, {
    onStart: () => {
      throw new RangeError('the port is taken');
    },
  });
  const failure: unknown = await tree.start(http).catch((error: unknown) => error);
  assert.is((failure as Error).message, 'the port is taken');
  assert.is(http.lives, 1);
  await tree.stop();
  assert.equal(diary, ['store up', 'store down']);
});

test('a child that does not stop, or fails to, keeps no other from stopping, and is reported', async () => {
  for (const onStop of [() => new Promise(() => undefined), () => Promise.reject(new RangeError('stuck'))]) {
    const diary: string[] = [];
    const tree = supervisor();
    await tree.start(new Watchman('store', diary));
    await tree.start(new Watchman('http', diary, { onStop, stopWithinMs: 20 }));
    const failure: unknown = await tree.stop().catch((error: unknown) => error);
    assert.match(String(failure), /stuck|http did not stop within 20 ms/);
    assert.equal(diary, ['store up', 'http up', 'store down']);
  }
});

test('a child that waits for its restart stops at once, and one that is starting when it has started', async () => {
  const tree = new Supervisor({ random: () => 1, policy: { ...restartDefaults, firstDelayMs: 30_000 } });
  const relay = new Watchman('relay', []);
  await tree.start(relay);
  relay.crash(new RangeError('out of paper'));
  await until(() => tree.tree[0]?.state === 'crashed');
  const diary: string[] = [];
  const starting = tree.start(new Watchman('http', diary, { onStart: () => delay(20) }));
  await tree.stop();
  await starting;
  assert.equal(diary, ['http up', 'http down']);
  assert.equal(
    tree.tree.map(({ state }) => state),
    ['stopped', 'stopped'],
  );
});

test('a child that supervises others shows them in the tree', async () => {
  const [tree, inner] = [supervisor(), supervisor()];
  await inner.start(new Watchman('orders', []));
  await tree.start({
    name: 'perspectives',
    start: () => ({ children: inner.tree, stop: () => inner.stop() }),
  });
  assert.equal(
    tree.tree[0]?.children?.map(({ name, state }) => [name, state]),
    [['orders', 'running']],
  );
  await tree.stop();
});

test('the mailbox of a kept resource is read when the tree is', async () => {
  const tree = supervisor();
  const queue: string[] = [];
  await tree.keep(
    'store',
    () => queue,
    () => undefined,
    ({ length }) => length,
  );
  queue.push('a', 'b');
  assert.is(tree.tree[0]?.mailbox, 2);
  await tree.stop();
});

test('nothing is started after a stop', async () => {
  const tree = supervisor();
  await tree.stop();
  const refused: unknown = await tree.start(new Watchman('late', [])).catch((error: unknown) => error);
  assert.match(String(refused), /shutting down/);
});

test('every invoked actor has an onError, so that none can crash the process', () => {
  for (const machine of [supervisorMachine, supervisedChildMachine]) {
    const invoked = Object.values(machine.states).flatMap((node) => node.invoke);
    assert.ok(invoked.length > 0);
    for (const { src, onError } of invoked) assert.ok(onError, `${JSON.stringify(src)} has no onError`);
  }
});

test.run();
