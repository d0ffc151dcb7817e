import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createActor, type EventObject, setup } from 'xstate';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { type ListeningSession, outboxWakeUps } from './outbox-wake-ups.js';

const test = suite('outbox wake-ups');

/** A connection that a test can end. */
class Line {
  readonly said: string[] = [];
  releases = 0;
  end: () => void = () => undefined;
  notify: (channel: string) => void = () => undefined;
  refusal: Error | undefined;

  session(): ListeningSession {
    const ended = new Promise<void>((resolve) => (this.end = resolve));
    return {
      rows: ({ text }) => {
        this.said.push(text);
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

/** What a parent hears while the lines are handed out one after another. */
function listenOver(lines: readonly (Line | Error)[]) {
  const heard: string[] = [];
  const left = [...lines];
  const session = (): Promise<ListeningSession> => {
    const line = left.shift();
    if (line instanceof Line) return Promise.resolve(line.session());
    return Promise.reject(line ?? new RangeError('no more lines'));
  };
  const parent = setup({
    types: { events: {} as EventObject },
    actors: { wakeUps: outboxWakeUps },
  }).createMachine({
    invoke: { src: 'wakeUps', input: { database: { session } }, onError: {} },
    on: { '*': { actions: ({ event }) => void heard.push(event.type) } },
  });
  const actor = createActor(parent).start();
  return { heard, left, stop: () => actor.stop() };
}

const settled = (): Promise<void> => new Promise(setImmediate);

test('it listens on both channels, and wakes once for what came before', async () => {
  const line = new Line();
  const { heard, stop } = listenOver([line]);
  await settled();
  assert.equal([line.said, heard], [['LISTEN svc', 'LISTEN svc_lease'], ['wake']]);
  stop();
});

test('a commit wakes, a lease that is given up is told as such', async () => {
  const line = new Line();
  const { heard, stop } = listenOver([line]);
  await settled();
  line.notify('svc');
  line.notify('svc_lease');
  assert.equal(heard, ['wake', 'wake', 'freed']);
  stop();
});

test('a connection that ends is given back, and another one is opened', () =>
  withFakeTimeouts(async (clock) => {
    const [first, second] = [new Line(), new Line()];
    const { heard, stop } = listenOver([first, second]);
    await settled();
    first.end();
    await settled();
    assert.is(first.releases, 1);
    clock.advance(1_000);
    await settled();
    assert.equal([second.said.length, heard], [2, ['wake', 'wake']]);
    stop();
  }));

test('a connection that cannot be had or will not listen is tried again', () =>
  withFakeTimeouts(async (clock) => {
    const [deaf, good] = [new Line(), new Line()];
    deaf.refusal = new RangeError('deaf');
    const { heard, stop } = listenOver([new RangeError('gone'), deaf, good]);
    await settled();
    clock.advance(1_000);
    await settled();
    assert.is(deaf.releases, 1);
    clock.advance(1_000);
    await settled();
    assert.equal(heard, ['wake']);
    stop();
  }));

test('when it stops it gives its connection back and opens no other', () =>
  withFakeTimeouts(async (clock) => {
    const [line, other] = [new Line(), new Line()];
    const { left, stop } = listenOver([line, other]);
    await settled();
    stop();
    await settled();
    clock.advance(10_000);
    await settled();
    assert.equal([line.releases, left.length], [1, 1]);
  }));

test('a connection that comes after the stop is given back too', async () => {
  const line = new Line();
  const { heard, stop } = listenOver([line]);
  stop();
  await settled();
  assert.equal([line.releases, heard], [1, []]);
});

test.run();
