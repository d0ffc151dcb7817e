import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import {
  afterLoopSample,
  afterSample,
  allowedWaitMs,
  uncrowdedLimit,
  idleLoop,
  isOverloaded,
  minLimit,
  mayStillBeServed,
  type RouteLoad,
  type RouteSample,
  unloaded,
} from './load-estimate.js';

const test = suite('load estimate');

interface Backend {
  /** Requests that it works on in parallel. */
  readonly slots: number;
  readonly takesMs: number;
}

/** Simulates a backend under a steady load of many clients: ten steps of 10 ms between two samples. */
function played(backend: Backend, perSecond: number, seconds: number, from: RouteLoad = unloaded) {
  let load = from;
  let inFlight = 0;
  let refused = 0;
  let served = 0;
  let lastMs = 0;
  for (let look = 0; look < seconds * 10; look++) {
    const sample = { completed: 0, latencyMs: 0, refused: 0 };
    for (let step = 0; step < 10; step++) {
      const arriving = perSecond / 100;
      const admitted = Math.max(0, Math.min(arriving, load.limit - inFlight));
      sample.refused += arriving - admitted;
      inFlight += admitted;
      const completed = Math.min(inFlight, (Math.min(inFlight, backend.slots) / backend.takesMs) * 10);
      lastMs = Math.max(backend.takesMs, (inFlight / completed) * 10);
      sample.completed += completed;
      sample.latencyMs += completed * lastMs;
      inFlight -= completed;
    }
    served += sample.completed;
    refused += sample.refused;
    load = afterSample(load, { ...sample, ...worked(sample), inFlight, elapsedMs: 100, connections: 1_000 });
  }
  return { load, refused, served, lastMs };
}

const worked = ({ completed, latencyMs }: { completed: number; latencyMs: number }) => ({
  worked: completed,
  workedMs: latencyMs,
});

/** A sample without any activity. */
const nothing: RouteSample = {
  completed: 0,
  latencyMs: 0,
  worked: 0,
  workedMs: 0,
  refused: 0,
  inFlight: 0,
  elapsedMs: 100,
  connections: 1_000,
};

const pool = { slots: 10, takesMs: 5 };

test('below the capacity nothing is refused', () => {
  const { refused, load } = played(pool, 1_500, 20);
  assert.equal([refused, load.limit], [0, Number.POSITIVE_INFINITY]);
});

test('at twice the capacity the backend stays fully used, and no request waits long', () => {
  const calm = played(pool, 1_000, 5);
  const { served, refused, lastMs } = played(pool, 4_000, 20, calm.load);
  assert.ok(served / 20 > 0.95 * 2_000, `${served / 20} per second`);
  assert.ok(refused > 0);
  assert.ok(lastMs < 1.5 * allowedWaitMs, `${lastMs} ms`);
});

test('after the overload nothing is refused', () => {
  const { load } = played(pool, 4_000, 20, played(pool, 1_000, 5).load);
  const settled = played(pool, 1_000, 5, load);
  assert.is(played(pool, 1_000, 5, settled.load).refused, 0);
});

test('clients that were refused during a hang are admitted again within two and a half seconds', () => {
  let load: RouteLoad = { ...played(pool, 1_000, 5).load, limit: minLimit };
  let looks = 0;
  for (; load.limit !== Number.POSITIVE_INFINITY; looks++)
    load = afterSample(load, { ...nothing, completed: 100, latencyMs: 500, inFlight: 5 });
  assert.ok(looks <= 25, `${looks} looks`);
});

test('a backend with high parallelism gets its full load again within two seconds of a pause', () => {
  const remote = { slots: 5_000, takesMs: 500 };
  const paused = played({ ...remote, slots: 500 }, 8_000, 3, played(remote, 8_000, 10).load);
  const { load } = played(remote, 8_000, 2, paused.load);
  assert.is(played(remote, 8_000, 10, load).refused, 0);
});

test('a backend that answers in bursts gets as many requests as any other', () => {
  let { load } = played(pool, 1_000, 5);
  const limits: number[] = [];
  for (let look = 0; look < 200; look++) {
    const completed = look % 2 === 0 ? 400 : 0;
    const latencyMs = completed * 150;
    const sample = { completed, latencyMs, ...worked({ completed, latencyMs }) };
    load = afterSample(load, { ...nothing, ...sample, inFlight: 300, refused: 100 });
    limits.push(load.limit);
  }
  assert.ok(Math.min(...limits.slice(20)) > uncrowdedLimit, `${Math.min(...limits.slice(20))} at times`);
});

test('a backend that is slow by nature, with high parallelism, does not count as overloaded', () => {
  const { refused } = played({ slots: 5_000, takesMs: 2_000 }, 300, 30);
  assert.is(refused, 0);
});

test('however long the overload lasts, no request waits longer', () => {
  const { served, lastMs } = played(pool, 4_000, 900, played(pool, 1_000, 5).load);
  assert.ok(served / 900 > 0.95 * 2_000, `${served / 900} per second`);
  assert.ok(lastMs < 1.5 * allowedWaitMs, `${lastMs} ms`);
});

test('slightly more load than a slow backend can handle does not pile up either', () => {
  for (const takesMs of [100, 500, 1_000]) {
    const { served, refused, lastMs } = played({ slots: takesMs, takesMs }, 1_050, 60);
    assert.ok(served / 60 > 0.95 * 1_000, `${served / 60} per second`);
    assert.ok(refused > 0 && lastMs < takesMs * 1.1 + allowedWaitMs, `${takesMs} ms take ${lastMs} ms`);
  }
});

test('a backend that has become twenty times slower is fully used, and a crowd does not wait long for it', () => {
  const slow = { slots: 10, takesMs: 100 };
  const { served, lastMs } = played(slow, 4_000, 20, played(pool, 1_000, 5).load);
  assert.ok(served / 20 > 0.95 * 100, `${served / 20} per second`);
  assert.ok(lastMs < 250, `${lastMs} ms`);
});

test('a backend that becomes slower but has high parallelism gets a high limit again within half a minute', () => {
  const remote = { slots: 5_000, takesMs: 150 };
  const { load } = played(remote, 1_000, 30, played({ ...remote, takesMs: 5 }, 1_000, 5).load);
  assert.is(played(remote, 1_000, 5, load).refused, 0);
});

test('an answer that needed no work does not make the others look slow', () => {
  const slow = { slots: 5_000, takesMs: 2_000 };
  const { load } = played(slow, 300, 10);
  const after = afterSample(load, { ...nothing, completed: 3, latencyMs: 1, inFlight: 600 });
  assert.is(played(slow, 300, 10, after).refused, 0);
});

test('a backend that hangs does not get more and more requests', () => {
  let { load } = played(pool, 1_000, 5);
  for (let n = 0; n < 50; n++) load = afterSample(load, { ...nothing, inFlight: 500, refused: 100 });
  assert.is(load.limit, minLimit);
});

test('a few clients are not a crowd, however many others are connected and silent', () => {
  let { load } = played(pool, 1_000, 5);
  for (let n = 0; n < 50; n++) load = afterSample(load, { ...nothing, inFlight: 100, connections: 10_000 });
  assert.is(load.limit, uncrowdedLimit);
});

test('a hundred clients are not a crowd, however long it takes', () => {
  let { load } = played(pool, 1_000, 5);
  for (let n = 0; n < 50; n++)
    load = afterSample(load, { ...nothing, inFlight: 100, connections: 100, refused: 1 });
  assert.ok(load.limit >= 100, `${load.limit} are admitted`);
});

test('a route without requests keeps its estimate', () => {
  const { load } = played(pool, 1_000, 5);
  const idle = afterSample(load, nothing);
  assert.equal([idle.bestMs, idle.limit, idle.silentMs], [load.bestMs, load.limit, 0]);
});

/** Samples a loop repeatedly. */
const looked = (utilizations: readonly number[], lateMs = 30, accepted = 0) =>
  utilizations.reduce(
    (load, utilization) => afterLoopSample(load, { utilization, lateMs, waitedMs: 0, accepted }),
    idleLoop,
  );

const seen = (...looks: Parameters<typeof looked>) => isOverloaded(looked(...looks));

test('a saturated loop is overloaded after a while, and no longer once it has time again', () => {
  assert.equal([seen([1]), seen([1, 1]), seen([1, 1, 0.99, 1, 1])], [false, true, true]);
  assert.equal([seen([0.97, 0.97]), seen([1, 1, 1, 0.9])], [true, false]);
});

test('a busy loop with short turns is not overloaded: no request waits unread', () => {
  assert.equal([seen([1, 1, 1], 3), seen([1, 1, 1], 10)], [false, true]);
});

test('a busy loop with many new connections is overloaded: they wait to be accepted', () => {
  assert.equal([seen([1, 1], 1, 60), seen([1, 1, 1], 1, 60)], [false, true]);
});

test('a busy loop without new connections has recovered from the rush, however long that was', () => {
  const quiet = { utilization: 1, lateMs: 1, waitedMs: 0, accepted: 0 };
  const rushed = looked(
    Array.from({ length: 600 }, () => 1),
    1,
    60,
  );
  const later = Array.from({ length: 20 }, () => quiet).reduce(afterLoopSample, rushed);
  assert.equal([rushed, afterLoopSample(rushed, quiet), later].map(isOverloaded), [true, true, false]);
});

test('a rush that shows only in every second sample is still a rush', () => {
  const looks = Array.from({ length: 12 }, (_, n) => ({ accepted: n % 2 === 0 ? 60 : 0 }));
  const load = looks.reduce(
    (before, { accepted }) => afterLoopSample(before, { utilization: 1, lateMs: 1, waitedMs: 0, accepted }),
    idleLoop,
  );
  assert.ok(isOverloaded(load));
});

test('turns of any length leave no connection waiting unseen', () => {
  for (let turnMs = 1; turnMs < 100; turnMs++) {
    const accepted = Math.floor(100 / turnMs);
    assert.ok(seen([1, 1, 1], turnMs, accepted), `turns of ${turnMs} ms`);
  }
});

test('one long pause is not an overload', () => {
  assert.is(seen([0.3, 1], 5_000), false);
});

test('a busy loop recovers from a pause, unless requests wait in front of it', () => {
  const paused = looked([1, 1, 1]);
  const later = (waitedMs: number) => {
    const sample = { utilization: 1, lateMs: 1, waitedMs, accepted: 0 };
    return [sample, sample].reduce(afterLoopSample, paused);
  };
  assert.equal([paused, later(3), later(12)].map(isOverloaded), [true, false, true]);
});

test('one sample without waiting requests does not end an overload', () => {
  const calm = { utilization: 1, lateMs: 1, waitedMs: 0, accepted: 0 };
  const next = afterLoopSample(looked([1, 1, 1]), calm);
  assert.equal([next, afterLoopSample(next, calm)].map(isOverloaded), [true, false]);
});

test('a few clients are served by the busiest loop', () => {
  assert.equal([mayStillBeServed(5_000, false), mayStillBeServed(5_000, true)], [true, false]);
  const slow = { completed: 5, latencyMs: 5 * 1_500 };
  const few = {
    ...nothing,
    ...slow,
    ...worked(slow),
    inFlight: uncrowdedLimit - 1,
    connections: uncrowdedLimit,
    refused: 1,
  };
  assert.ok(afterSample(played(pool, 1_000, 5).load, few).limit >= uncrowdedLimit);
});
