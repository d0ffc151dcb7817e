import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { impatientSupervisor, Watchman } from '../testing/watchman.js';
import { restartDefaults } from './restart-policy.js';
import { Supervisor } from './supervisor.js';

const test = suite('start and stop of a supervisor');

test('children start in order and stop in reverse', async () => {
  const diary: string[] = [];
  const tree = impatientSupervisor();
  for (const name of ['store', 'relay', 'http']) await tree.start(new Watchman(name, diary));
  await tree.stop();
  assert.equal(diary, ['store up', 'relay up', 'http up', 'http down', 'relay down', 'store down']);
  assert.is(await tree.ended, undefined);
});

test('one child can be removed: it stops, leaves the tree, and the others run on', async () => {
  const diary: string[] = [];
  const tree = impatientSupervisor();
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
  const tree = impatientSupervisor();
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
  const tree = impatientSupervisor();
  const { answer } = await tree.start({
    name: 'oracle',
    start: () => ({ answer: 42, stop: () => undefined }),
  });
  assert.is(answer, 42);
  await tree.stop();
});

test('a child that fails its first start is reported to the caller, and the others stop on request', async () => {
  const diary: string[] = [];
  const tree = impatientSupervisor();
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
    const tree = impatientSupervisor();
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

test('nothing is started after a stop', async () => {
  const tree = impatientSupervisor();
  await tree.stop();
  const refused: unknown = await tree.start(new Watchman('late', [])).catch((error: unknown) => error);
  assert.match(String(refused), /shutting down/);
});
