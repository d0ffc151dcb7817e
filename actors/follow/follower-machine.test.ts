import * as assert from 'uvu/assert';
import { createActor } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { followerMachine, type FollowerWork, type RunEnd } from './follower-machine.js';

const test = suite('a follower of the log');

interface ScriptedRun {
  readonly signal: AbortSignal;
  readonly end: (end: RunEnd) => void;
  readonly fail: (error: Error) => void;
}

/** A follower whose runs end as the test wants. */
function follower(probe?: () => Promise<void>) {
  const runs: ScriptedRun[] = [];
  const seen = { forgotten: 0, woken: 0, asked: 0, givenBack: 0, isDue: false };
  const work: FollowerWork = {
    kind: 'perspective',
    name: 'orders',
    lease: 'orders',
    ...(probe === undefined ? {} : { probe }),
    run: (signal) =>
      new Promise((resolve, reject) => {
        runs.push({ signal, end: resolve, fail: reject });
      }),
    wake: () => void seen.woken++,
    isDue: () => seen.isDue,
    forget: () => void seen.forgotten++,
  };
  const settings = { restMs: 1, firstBackoffMs: 1, maxBackoffMs: 2 };
  const actor = createActor(followerMachine, {
    input: {
      work,
      settings,
      run: (signal: AbortSignal) => work.run(signal),
      askForLease: () => void seen.asked++,
      giveLeaseBack: () => void seen.givenBack++,
    },
  }).start();
  const state = () => actor.getSnapshot().value;
  const reaches = (wanted: string) => until(() => state() === wanted);
  const ends = async (end: RunEnd, next: string) => {
    runs.at(-1)?.end(end);
    await reaches(next);
  };
  return { actor, runs, seen, state, reaches, ends };
}

test('it runs while it is leased, and a lost lease ends its run', async () => {
  const { actor, runs, seen, state } = follower();
  actor.send({ type: 'wake' });
  assert.is(state(), 'withoutLease');
  actor.send({ type: 'leased' });
  assert.is(state(), 'running');
  const { forgotten } = seen;
  actor.send({ type: 'lost' });
  assert.equal([state(), runs[0]?.signal.aborted, seen.forgotten], ['withoutLease', true, forgotten + 1]);
});

test('when it has caught up it waits until the log grows', async () => {
  const { actor, runs, state, ends, seen } = follower();
  actor.send({ type: 'leased' });
  await ends('caught up', 'waiting');
  actor.send({ type: 'leased' });
  assert.is(state(), 'waiting');
  actor.send({ type: 'wake' });
  assert.equal([state(), runs.length, seen.woken], ['running', 2, 0]);
});

test('a log that grows during a run is followed at once, and so is what is due at a renewal', async () => {
  const { actor, runs, reaches, ends, seen, state } = follower();
  actor.send({ type: 'leased' });
  actor.send({ type: 'wake' });
  assert.is(seen.woken, 1);
  runs[0]?.end('caught up');
  await until(() => runs.length === 2);
  await ends('caught up', 'waiting');
  seen.isDue = true;
  actor.send({ type: 'leased' });
  assert.is(state(), 'running');
  await reaches('running');
});

test('while it is behind it does not rest', async () => {
  const { actor, runs } = follower();
  actor.send({ type: 'leased' });
  runs[0]?.end('behind');
  await until(() => runs.length === 2);
});

test('a run that fails is tried again, and the reason is shown until one succeeds', async () => {
  const { actor, runs, reaches, ends } = follower();
  const error = () => actor.getSnapshot().context.error;
  actor.send({ type: 'leased' });
  runs[0]?.fail(new Error('no connection'));
  await until(() => runs.length === 2);
  assert.is(error(), 'no connection');
  await reaches('running');
  await ends('caught up', 'waiting');
  assert.is(error(), undefined);
});

test('a follower that was overtaken asks whether its lease is still its own, and runs only then', async () => {
  const { actor, runs, reaches, seen } = follower();
  actor.send({ type: 'leased' });
  runs[0]?.end('overtaken');
  await reaches('withoutLease');
  assert.equal([seen.asked, runs.length], [1, 1]);
  actor.send({ type: 'leased' });
  assert.is(runs.length, 2);
});

test('one that cannot reach the broker gives its lease back, and asks for it when the broker answers', async () => {
  let [answers, probes] = [true, 0];
  const { actor, runs, seen, reaches, state } = follower(async () => {
    probes++;
    if (!answers) throw new Error('no answer');
  });
  await reaches('withoutLease');
  assert.is(seen.asked, 1);
  actor.send({ type: 'leased' });
  answers = false;
  runs[0]?.end('unreachable');
  await reaches('outOfReach');
  assert.is(seen.givenBack, 1);
  await until(() => probes > 2 && state() === 'outOfReach');
  actor.send({ type: 'lost' });
  actor.send({ type: 'leased' });
  assert.equal([state(), seen.asked, seen.givenBack, runs.length], ['outOfReach', 1, 1, 1]);
  answers = true;
  await reaches('withoutLease');
  assert.is(seen.asked, 2);
  actor.stop();
});

test('one that has never reached the broker never asks for its lease', async () => {
  const { actor, reaches, seen } = follower(() => Promise.reject(new Error('no answer')));
  await reaches('outOfReach');
  assert.equal([seen.asked, seen.givenBack], [0, 0]);
  actor.stop();
});

const nodes = [followerMachine.root, ...Object.values(followerMachine.states)];

test('its states are the ones that an operator wants to see', () => {
  const shown = [
    'withoutLease',
    'running',
    'overtaken',
    'resting',
    'waiting',
    'failed',
    'outOfReach',
    'probing',
  ];
  assert.equal(Object.keys(followerMachine.states), ['starting', ...shown]);
});

test('every invoked actor has an onError, so that none can crash the process', () => {
  const invoked = nodes.flatMap((node) => node.invoke);
  assert.ok(invoked.length > 0);
  for (const { src, onError } of invoked) assert.ok(onError, `${JSON.stringify(src)} has no onError`);
});

test('it waits with plain timers only', () => {
  for (const node of nodes) assert.equal(node.after, []);
});
