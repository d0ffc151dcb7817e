import { getEventListeners } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';
import { type ListeningSession, Notifications } from './notifications.js';

const test = suite('notifications');

/** A connection that a test can end. */
class Line {
  readonly statements: string[] = [];
  releases = 0;
  end: () => void = () => undefined;
  notify: (channel: string) => void = () => undefined;
  refusal: Error | undefined;

  session(): ListeningSession {
    const ended = new Promise<void>((resolve) => (this.end = resolve));
    return {
      rows: ({ text }) => {
        this.statements.push(text);
        return this.refusal === undefined ? Promise.resolve([]) : Promise.reject(this.refusal);
      },
      onNotification: (listener) => (this.notify = listener),
      ended,
      release: () => {
        this.releases++;
        this.end();
      },
    };
  }
}

/** Notifications over lines that are handed out in turn. */
function over(...lines: readonly (Line | Error)[]) {
  const remaining = [...lines];
  const notifications = new Notifications({
    session: () => {
      const line = remaining.shift();
      if (line instanceof Line) return Promise.resolve(line.session());
      return Promise.reject(line ?? new RangeError('no more lines'));
    },
  });
  return { remaining, notifications };
}

function listenOver(...lines: readonly (Line | Error)[]) {
  const { remaining, notifications } = over(...lines);
  const notified: string[] = [];
  const stop = notifications.subscribe((channel) => void notified.push(channel));
  return { notified, remaining, stop };
}

const all = ['svc', 'svc_lease', 'svc_access', 'svc_flags', 'svc_subjects'];

const listens = all.map((channel) => `LISTEN ${channel}`);

const settled = (): Promise<void> => new Promise(setImmediate);

test('it listens on all channels, and notifies once of each for what was committed before', async () => {
  const line = new Line();
  const { notified, stop } = listenOver(line);
  await settled();
  assert.equal([line.statements, notified], [listens, all]);
  stop();
});

test('a connection that ends is released, and another one is opened', () =>
  withFakeTimeouts(async (clock) => {
    const [first, second] = [new Line(), new Line()];
    const { notified, stop } = listenOver(first, second);
    await settled();
    first.end();
    await settled();
    assert.is(first.releases, 1);
    clock.advance(1_000);
    await settled();
    assert.equal([second.statements.length, notified], [all.length, [...all, ...all]]);
    stop();
  }));

test('a connection that cannot be opened or does not listen is retried', () =>
  withFakeTimeouts(async (clock) => {
    const [failing, good] = [new Line(), new Line()];
    failing.refusal = new RangeError('deaf');
    const { notified, stop } = listenOver(new RangeError('gone'), failing, good);
    await settled();
    clock.advance(1_000);
    await settled();
    assert.is(failing.releases, 1);
    clock.advance(1_000);
    await settled();
    assert.equal(notified, all);
    stop();
  }));

test('when it stops it releases its connection and opens no other', () =>
  withFakeTimeouts(async (clock) => {
    const [line, other] = [new Line(), new Line()];
    const { remaining, stop } = listenOver(line, other);
    await settled();
    stop();
    await settled();
    clock.advance(10_000);
    await settled();
    assert.equal([line.releases, remaining.length], [1, 1]);
  }));

test('when it stops between two connections it opens no other', () =>
  withFakeTimeouts(async (clock) => {
    const other = new Line();
    const { remaining, stop } = listenOver(new RangeError('gone'), other);
    await settled();
    stop();
    clock.advance(10_000);
    await settled();
    assert.is(remaining.length, 1);
  }));

test('retries leave nothing behind in memory', () =>
  withFakeTimeouts(async (clock) => {
    const signals = new Set<AbortSignal>();
    const { addEventListener } = AbortSignal.prototype;
    AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: [string, () => void]) {
      signals.add(this);
      addEventListener.apply(this, args);
    };
    const { remaining, stop } = listenOver(...[1, 2, 3].map(() => new RangeError('gone')));
    for (let n = 0; n < 3; n++) {
      await settled();
      clock.advance(1_000);
    }
    await settled();
    Reflect.set(AbortSignal.prototype, 'addEventListener', addEventListener);
    assert.equal(
      [remaining.length, [...signals].flatMap((signal) => getEventListeners(signal, 'abort'))],
      [0, []],
    );
    stop();
  }));

test('a connection that opens after the stop is released too', async () => {
  const line = new Line();
  const { notified, stop } = listenOver(line);
  stop();
  await settled();
  assert.equal([line.releases, notified], [1, []]);
});

test('all subscribers share one connection, which listens once', async () => {
  const line = new Line();
  const { notifications } = over(line);
  const notified: string[] = [];
  for (const name of ['relay', 'runner']) {
    notifications.subscribe((channel) => void notified.push(`${name} ${channel}`));
    await settled();
  }
  assert.equal(line.statements, listens);
  assert.equal(
    notified.splice(0),
    ['relay', 'runner'].flatMap((name) => all.map((channel) => `${name} ${channel}`)),
    'each is notified once of each channel for what was committed before',
  );
  line.notify('svc_lease');
  assert.equal(notified, ['relay svc_lease', 'runner svc_lease']);
});

test('the connection is released with the last subscriber, and the next one opens a new one', async () => {
  const [first, second] = [new Line(), new Line()];
  const { notifications, remaining } = over(first, second);
  const stops = [notifications.subscribe(() => undefined), notifications.subscribe(() => undefined)];
  await settled();
  stops[0]?.();
  stops[0]?.();
  assert.is(first.releases, 0);
  stops[1]?.();
  assert.is(first.releases, 1);
  notifications.subscribe(() => undefined);
  await settled();
  assert.equal([remaining.length, second.statements.length], [0, all.length]);
});

test('a connection that is lost is replaced for all subscribers', () =>
  withFakeTimeouts(async (clock) => {
    const [first, second] = [new Line(), new Line()];
    const { notifications } = over(first, second);
    const notified: string[] = [];
    const subscribe = (name: string) =>
      notifications.subscribe((channel) => void (channel === 'svc' && notified.push(name)));
    const stops = [subscribe('relay'), subscribe('runner')];
    await settled();
    first.end();
    await settled();
    clock.advance(1_000);
    await settled();
    assert.equal(notified.splice(0), ['relay', 'runner', 'relay', 'runner']);
    second.notify('svc');
    assert.equal(notified, ['relay', 'runner']);
    for (const stop of stops) stop();
    assert.equal([first.releases, second.releases], [1, 1]);
  }));

test('a connection that cannot be opened is retried', () =>
  withFakeTimeouts(async (clock) => {
    const line = new Line();
    const { notifications } = over(new RangeError('away'), line);
    notifications.subscribe(() => undefined);
    notifications.subscribe(() => undefined);
    await settled();
    clock.advance(1_000);
    await settled();
    assert.is(line.statements.length, all.length);
  }));
