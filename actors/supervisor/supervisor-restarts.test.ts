import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { atOnce, impatientSupervisor, Watchman } from '../testing/watchman.js';
import { restartDefaults } from './restart-policy.js';
import { Supervisor } from './supervisor.js';

const test = suite('restarts of a supervisor');

test('a child that crashes is stopped and started again, and no other is affected', async () => {
  const diary: string[] = [];
  const tree = impatientSupervisor();
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
  const tree = impatientSupervisor();
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
  const tree = impatientSupervisor();
  const relay: Watchman = new Watchman('relay', [], {
    onStart: () => relay.lives === 1 && relay.crash(new RangeError('early')),
  });
  await tree.start(relay);
  await until(() => tree.tree[0]?.restarts === 1 && tree.tree[0].state === 'running');
  await tree.stop();
});

test('what an earlier start reports does not affect the current one', async () => {
  const tree = impatientSupervisor();
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
  const tree = impatientSupervisor();
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
  const tree = impatientSupervisor();
  const store = new Watchman('store', diary, { isVital: true });
  await tree.start(store);
  await tree.start(new Watchman('http', diary));
  store.crash(new RangeError('the disk is gone'));
  assert.match(String(await tree.ended), 'the disk is gone');
  assert.equal([store.lives, diary.at(-1)], [1, 'http down']);
});
