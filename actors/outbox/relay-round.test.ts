import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import {
  DestinationUnreachable,
  type OutboundMessage,
  TransportUnreachable,
} from '../../contracts/transport.js';
import type { RunEnd } from '../follow/follower-machine.js';
import { noProgress } from './relay-round.js';
import { InMemoryOutbox, RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { advanceUntil, withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { durationOf } from '../../runtime/kit/until.js';
import { logOf, roundOver, turnOfTheLoop } from '../testing/relay-rounds.js';

const test = suite('relay round');

test('everything in the log is published in stream order, and the cursor reaches its head', async () => {
  const log = logOf('abcabcaabbccabcabcaabbcc'.repeat(20));
  const transport = new RecordingTransport(turnOfTheLoop);
  assert.equal(await roundOver(log, { transport }), 'caught up');
  assert.is(log.cursor, 480);
  for (const positions of transport.byStream.values())
    assert.equal(
      positions,
      positions.map((_, index) => index + 1),
    );
  assert.is(transport.taken.length, 480);
});

test('what an import left is passed at once, not page by page', async () => {
  const log = logOf('abcde'.repeat(404));
  log.imported = [11, 2_010];
  const transport = new RecordingTransport(turnOfTheLoop);
  assert.equal(await roundOver(log, { transport }), 'caught up');
  assert.equal([log.cursor, transport.taken.length], [2_020, 20]);
  assert.ok(log.calls.filter((call) => call === 'page').length < 6, log.calls.join());
});

test('while one destination cannot be reached, messages to others are published, also those stored meanwhile', () =>
  withFakeTimeouts(async (clock) => {
    const log = logOf('ab');
    let isBroken = true;
    const transport = new RecordingTransport(async ({ envelope }) => {
      if (isBroken && envelope.streamId === 'a') throw new DestinationUnreachable();
    });
    let end: RunEnd | undefined;
    void roundOver(log, { transport, leaseMs: 6_000 }).then((ended) => (end = ended));
    const streams = () => transport.taken.map(({ envelope }) => envelope.streamId);
    await advanceUntil(clock, () => streams().includes('b'));
    log.append('c');
    await advanceUntil(clock, () => streams().includes('c'));
    assert.not(streams().includes('a'));
    isBroken = false;
    await advanceUntil(clock, () => end !== undefined);
    assert.equal(end, 'caught up');
    assert.is(log.cursor, 3);
  }));

test('many are in flight at once, but never two of one stream, and never more than allowed', async () => {
  const log = logOf('abcdefghij'.repeat(4));
  const inFlight = new Set<string>();
  let maxInFlight = 0;
  const transport = new RecordingTransport(async ({ envelope }) => {
    assert.not(inFlight.has(envelope.streamId));
    inFlight.add(envelope.streamId);
    maxInFlight = Math.max(maxInFlight, inFlight.size);
    await turnOfTheLoop();
    inFlight.delete(envelope.streamId);
  });
  await roundOver(log, { transport, settings: { inFlight: 6 } });
  assert.is(maxInFlight, 6);
});

test('a transport that keeps the order receives several messages of one stream without waiting for acknowledgements', async () => {
  const log = logOf('aaaaaaaaaaab');
  let [inFlight, maxInFlight] = [0, 0];
  const answer = async () => {
    maxInFlight = Math.max(maxInFlight, ++inFlight);
    await turnOfTheLoop();
    inFlight--;
  };
  const transport = Object.assign(new RecordingTransport(answer), { keepsOrder: true });
  assert.equal(await roundOver(log, { transport, settings: { perStream: 3 } }), 'caught up');
  assert.is(maxInFlight, 4);
  assert.equal(
    transport.byStream.get('a'),
    Array.from({ length: 11 }, (_, n) => n + 1),
  );
});

test('when the transport fails in the middle of a stream, it receives the rest in order after it recovers', async () => {
  const log = logOf('a'.repeat(20));
  let isBack = false;
  const attempted: number[] = [];
  const answer = async ({ envelope }: OutboundMessage) => {
    attempted.push(envelope.streamPosition);
    await turnOfTheLoop();
    if (envelope.streamPosition >= 6 && !isBack) throw new TransportUnreachable();
  };
  const transport = Object.assign(new RecordingTransport(answer), { keepsOrder: true });
  const progress = noProgress();
  assert.equal(await roundOver(log, { transport, progress }), 'unreachable');
  assert.equal([log.cursor, attempted.length > 6, attempted.length <= 9], [5, true, true]);
  isBack = true;
  assert.equal(await roundOver(log, { transport, progress }), 'caught up');
  assert.equal(
    transport.byStream.get('a'),
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
});

test('an empty log costs one query', async () => {
  const log = new InMemoryOutbox();
  assert.equal(await roundOver(log, { transport: new RecordingTransport() }), 'caught up');
  assert.equal(log.calls, ['acquireLease']);
});

test('without subscribers the cursor moves to the head without reading the log', async () => {
  const log = logOf('abc'.repeat(50));
  const transport = Object.assign(new RecordingTransport(), { hasSubscribers: false });
  assert.equal(await roundOver(log, { transport }), 'caught up');
  assert.equal(log.calls, ['acquireLease', 'advance']);
  assert.equal([transport.taken.length, log.cursor], [0, 150]);
});

test('while another relay holds the lease, nothing is read or published', async () => {
  const log = logOf('abc');
  await log.heldBy('another').acquireLease(1_000);
  log.calls.length = 0;
  const transport = new RecordingTransport();
  assert.is(await roundOver(log, { transport }), 'overtaken');
  assert.equal([log.calls, transport.taken], [['acquireLease'], []]);
});

test('a refused message is retried, and its stream waits for it', async () => {
  const log = logOf('aaab');
  let maxAttempts = 2;
  const transport = new RecordingTransport(({ envelope }) => {
    if (envelope.globalPosition === 2 && maxAttempts-- > 0) throw new RangeError('not now');
  });
  assert.equal(await roundOver(log, { transport }), 'caught up');
  assert.equal(transport.byStream.get('a'), [1, 2, 3]);
  assert.is(log.cursor, 4);
});

test('a message that is always refused becomes a dead letter, and the others are published', async () => {
  const log = logOf('abab'.repeat(30));
  const transport = new RecordingTransport(({ envelope }) => {
    if (envelope.globalPosition === 3) throw new RangeError('poison');
  });
  assert.equal(await roundOver(log, { transport }), 'caught up');
  assert.equal([...log.dead.keys()], [3]);
  assert.is(transport.taken.length, 119);
  assert.is(log.cursor, 120);
});

test('attempts are kept in the log, whichever host relays next', async () => {
  const log = logOf('a');
  log.failures.set(1, { attempts: 2, error: 'poison' });
  const transport = new RecordingTransport(() => {
    throw new RangeError('poison');
  });
  await roundOver(log, { transport });
  assert.is(log.dead.get(1)?.attempts, 3);
});

test('when the transport cannot be reached the round ends, the cursor passes what was published, the rest waits', async () => {
  const log = logOf('abcdefgh');
  const transport = new RecordingTransport(async ({ envelope }) => {
    await turnOfTheLoop();
    if (envelope.globalPosition > 5) throw new TransportUnreachable();
  });
  assert.equal(await roundOver(log, { transport }), 'unreachable');
  assert.is(log.cursor, 5);
  assert.equal([log.failures.size, log.dead.size], [0, 0]);
});

test('after an obstacle the next round sends only what was not sent yet', async () => {
  const log = logOf('abcdefgh');
  let reachable = false;
  const transport = new RecordingTransport(async ({ envelope }) => {
    await turnOfTheLoop();
    if (envelope.globalPosition === 1 && !reachable) throw new TransportUnreachable();
  });
  const progress = noProgress();
  assert.equal(await roundOver(log, { transport, progress }), 'unreachable');
  assert.equal([transport.taken.length, log.cursor], [7, 0]);
  reachable = true;
  assert.equal(await roundOver(log, { transport, progress }), 'caught up');
  assert.equal([transport.taken.length, log.cursor], [8, 8]);
});

test('a log that fails ends the round with its error, after what is in flight', async () => {
  const log = logOf('ab');
  let landed = 0;
  const transport = new RecordingTransport(async () => {
    log.failure = new RangeError('gone');
    await turnOfTheLoop();
    landed++;
  });
  const failure: unknown = await roundOver(log, { transport, settings: { pageSize: 1 } }).catch(
    (error: unknown) => error,
  );
  assert.is(failure, log.failure);
  assert.is(landed, 1);
});

test('a round that is stopped waits for what is in flight and moves the cursor past it', async () => {
  const log = logOf('abcabc');
  const stop = new AbortController();
  const transport = new RecordingTransport(async () => {
    await turnOfTheLoop();
    stop.abort();
  });
  await roundOver(log, { transport, signal: stop.signal });
  assert.is(transport.taken.length, 3);
  assert.is(log.cursor, 3);
});

test('a transport that never answers does not delay a stop for long', async () => {
  const log = logOf('a');
  const stop = new AbortController();
  const transport = new RecordingTransport(() => new Promise(() => setImmediate(() => stop.abort())));
  const ended = roundOver(log, { transport, signal: stop.signal });
  assert.ok((await durationOf(ended)) < 3_000);
  assert.is(log.cursor, 0);
});

test('dead letters to be replayed are published first', async () => {
  const log = logOf('ab');
  log.cursor = 1;
  log.dead.set(1, { attempts: 3, error: 'x', fingerprint: 'x' });
  log.replaying.add(1);
  const transport = new RecordingTransport();
  await roundOver(log, { transport });
  const order = transport.taken.map(({ envelope }: OutboundMessage) => envelope.globalPosition);
  assert.equal([order, log.replaying.size, log.cursor], [[1, 2], 0, 2]);
});
