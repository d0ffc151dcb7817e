import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation, hasAborted, onAbort } from './cancellation.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';

const test = suite('cancellation');

test('an abort reaches the signal, the listener and the aborted property', () => {
  const cancellation = new Cancellation();
  let calls = 0;
  cancellation.listen(() => calls++);
  const { signal } = cancellation;
  assert.not(cancellation.aborted);
  cancellation.abort('gone');
  assert.ok(cancellation.aborted);
  assert.is(cancellation.reason, 'gone');
  assert.is(signal.reason, 'gone');
  assert.is(calls, 1);
});

test('a signal that is created after the abort is aborted', () => {
  const cancellation = new Cancellation();
  cancellation.abort('gone');
  assert.is(cancellation.signal.reason, 'gone');
  assert.is(cancellation.signal, cancellation.signal);
});

test('the first reason counts', () => {
  const cancellation = new Cancellation();
  let calls = 0;
  cancellation.listen(() => calls++);
  cancellation.abort('first');
  cancellation.abort('second');
  assert.is(cancellation.reason, 'first');
  assert.is(calls, 1);
});

test('without a reason the client has disconnected', () => {
  const cancellation = new Cancellation();
  cancellation.abort(undefined);
  assert.is(codeOf(cancellation.reason), 'client-gone');
});

test('one listener at a time is called, and can be restored', () => {
  const cancellation = new Cancellation();
  const calls: string[] = [];
  assert.is(
    cancellation.listen(() => calls.push('outer')),
    undefined,
  );
  const outer = cancellation.listen(() => calls.push('inner'));
  cancellation.listen(outer);
  cancellation.abort('gone');
  assert.equal(calls, ['outer']);
});

test('it follows the signal it was created from', () => {
  const controller = new AbortController();
  const cancellation = Cancellation.of(controller.signal);
  controller.abort('gone');
  assert.is(cancellation.reason, 'gone');
  assert.is(Cancellation.of(controller.signal).reason, 'gone');
  assert.not(Cancellation.of(undefined).aborted);
});

test('the deadline aborts it', () =>
  withFakeTimeouts((clock) => {
    const cancellation = Cancellation.of(undefined, 30_000);
    clock.advance(29_999);
    assert.not(cancellation.aborted);
    clock.advance(1);
    assert.is(codeOf(cancellation.reason), 'deadline-exceeded');
  }));

test('after its end neither the deadline nor the signal has an effect', () =>
  withFakeTimeouts((clock) => {
    const controller = new AbortController();
    const cancellation = Cancellation.of(controller.signal, 30_000);
    cancellation.end();
    clock.advance(60_000);
    controller.abort('gone');
    assert.not(cancellation.aborted);
  }));

const uses: readonly [string, (signal: AbortSignal) => Promise<unknown>][] = [
  ['a timer', (signal) => delay(60_000, undefined, { signal })],
  ['events.once', (signal) => once(new EventEmitter(), 'never', { signal })],
  ['fetch', (signal) => fetch('http://127.0.0.1:9/', { signal })],
  [
    'a child process',
    (signal) => promisify(execFile)(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { signal }),
  ],
  ['AbortSignal.any', (signal) => aborted(AbortSignal.any([signal, new AbortController().signal]))],
  ['a listener', (signal) => aborted(signal)],
];
for (const [name, use] of uses) {
  test(`the signal ends ${name}, like any AbortSignal`, async () => {
    const cancellation = new Cancellation();
    assert.instance(cancellation.signal, AbortSignal);
    const used = use(cancellation.signal).catch((error: unknown) => error);
    cancellation.abort(new Problem('enough'));
    const error = (await used) as Error & { code?: string };
    assert.ok(error.name === 'AbortError' || error.code === 'enough', String(error));
    assert.throws(
      () => cancellation.signal.throwIfAborted(),
      (thrown: Problem) => thrown.code === 'enough',
    );
  });
}

for (const [what, cancelled] of [
  ['of a request', () => new Cancellation()],
  ['of anybody', () => new AbortController()],
] as const) {
  test(`a callback for the end ${what} is called once, unless it was removed`, () => {
    const called: string[] = [];
    const source = cancelled();
    assert.not(hasAborted(source.signal));
    onAbort(source.signal, () => void called.push('first'));
    const leave = onAbort(source.signal, () => void called.push('second'));
    onAbort(source.signal, () => void called.push('third'));
    leave();
    source.abort(new Problem('enough'));
    source.abort(new Problem('enough'));
    assert.equal(called, ['first', 'third']);
    assert.ok(hasAborted(source.signal));
  });
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const codeOf = (reason: unknown): string => (reason instanceof Problem ? reason.code : String(reason));
