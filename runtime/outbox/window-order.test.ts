import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { aMessage } from '../kit/transport-contract.js';
import type { PendingMessage } from './outbox.js';
import type { Entry } from './stream-queue.js';
import { OutboxWindow } from './window.js';

const test = suite('outbox window under faults');

type Step =
  | { readonly does: 'take'; readonly max: number }
  | { readonly does: 'accept' | 'refuse'; readonly which: number }
  /** The connection breaks: the broker has the first few messages in flight, their answers are lost. */
  | { readonly does: 'cut'; readonly arrived: number };

const streams = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 60 });
const steps = (refusals: boolean) =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ does: fc.constant('take' as const), max: fc.nat(9) }) },
      { weight: 6, arbitrary: fc.record({ does: fc.constant('accept' as const), which: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('cut' as const), arrived: fc.nat(20) }) },
      ...(refusals
        ? [{ weight: 2, arbitrary: fc.record({ does: fc.constant('refuse' as const), which: fc.nat(20) }) }]
        : []),
    ),
    { maxLength: 150 },
  );

/** A broker that receives messages in order and stores each of them once. */
class Broker {
  readonly window = new OutboxWindow(0);
  readonly inFlight: Entry[] = [];
  readonly kept = new Map<string, number[]>();
  readonly isRetry = new Map<string, Set<number>>();
  #now = 0;

  constructor(
    log: readonly string[],
    private readonly perStream: number,
  ) {
    const page = log.map((stream, index) => pending(index + 1, stream));
    this.window.add(page, page.length, 0);
  }

  do(step: Step): void {
    this.#now++;
    if (step.does === 'take') return this.take(step.max);
    if (step.does === 'cut') return this.#cut(step.arrived);
    const index = step.which % (this.inFlight.length || 1);
    // An acknowledgement implies that all earlier messages have arrived too.
    if (step.does === 'accept') this.inFlight.slice(0, index).forEach((earlier) => this.#keep(earlier));
    const [entry] = this.inFlight.splice(index, 1);
    if (entry === undefined) return;
    if (step.does === 'accept') this.#accept(entry);
    else this.#giveBack(entry, entry.attempts + 1, this.#now + 3);
  }

  take(max: number): void {
    for (const entry of this.window.take(this.#now, max, this.perStream)) {
      const { streamId } = entry.message.envelope;
      const back = this.isRetry.get(streamId) ?? new Set();
      const ahead = [...back].filter((position) => position < entry.message.position);
      assert.equal(ahead, [], 'nothing is sent after a message to retry');
      this.inFlight.push(entry);
      const ofStream = this.inFlight.filter(({ message }) => message.envelope.streamId === streamId);
      assert.ok(ofStream.length <= (back.size > 0 ? 1 : this.perStream));
    }
  }

  /** Publishes the rest without failures. */
  finish(): void {
    for (let round = 0; this.window.size > 0; round++) {
      assert.ok(round < 1_000, 'it ends');
      this.#now += 10;
      this.take(4);
      for (const entry of this.inFlight.splice(0)) this.#accept(entry);
    }
  }

  #accept(entry: Entry): void {
    this.#keep(entry);
    this.isRetry.get(entry.message.envelope.streamId)?.delete(entry.message.position);
    this.window.settle(entry);
  }

  #cut(arrived: number): void {
    const inFlight = this.inFlight.splice(0);
    for (const entry of inFlight.slice(0, arrived)) this.#keep(entry);
    for (const entry of inFlight) this.#giveBack(entry, entry.attempts, this.#now);
  }

  #giveBack(entry: Entry, attempts: number, dueAt: number): void {
    const { position, envelope } = entry.message;
    const back = this.isRetry.get(envelope.streamId) ?? new Set();
    this.isRetry.set(envelope.streamId, back.add(position));
    this.window.retry(entry, attempts, dueAt);
  }

  #keep({ message: { position, envelope } }: Entry): void {
    const kept = this.kept.get(envelope.streamId) ?? [];
    if (!kept.includes(position)) this.kept.set(envelope.streamId, [...kept, position]);
  }
}

const pending = (position: number, streamId: string): PendingMessage => {
  const message = aMessage('Baked', position);
  return {
    ...message,
    envelope: { ...message.envelope, streamId },
    position,
    attempts: 0,
    dueInMs: 0,
  };
};

function play(log: readonly string[], perStream: number, happened: readonly Step[]): Broker {
  const broker = new Broker(log, perStream);
  for (const step of happened) broker.do(step);
  broker.finish();
  return broker;
}

test('everything is settled in the end, and nothing is sent after a message to retry', () => {
  fc.assert(
    fc.property(streams, fc.integer({ min: 1, max: 5 }), steps(true), (log, perStream, happened) => {
      const { window, kept } = play(log, perStream, happened);
      assert.is(window.settledTo, log.length);
      assert.is([...kept.values()].flat().length, log.length);
    }),
  );
});

test('however often the connection is cut, the broker keeps every stream in order', () => {
  fc.assert(
    fc.property(streams, fc.integer({ min: 1, max: 5 }), steps(false), (log, perStream, happened) => {
      for (const positions of play(log, perStream, happened).kept.values())
        assert.equal(
          positions,
          positions.toSorted((a, b) => a - b),
        );
    }),
  );
});

test('one at a time, not even rejections change the order', () => {
  fc.assert(
    fc.property(streams, steps(true), (log, happened) => {
      for (const positions of play(log, 1, happened).kept.values())
        assert.equal(
          positions,
          positions.toSorted((a, b) => a - b),
        );
    }),
  );
});
