import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { TransportUnreachable } from '../../contracts/transport.js';
import type { RunEnd } from '../follow/follower-machine.js';
import { noProgress } from './relay-round.js';
import { type InMemoryOutbox, RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { advanceUntil, withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { logOf, roundOver } from '../testing/relay-rounds.js';

const test = suite('relay round and its lease');

test('when another relay acquires the lease meanwhile, the cursor is left alone', async () => {
  const log = logOf('aaaa');
  const transport = new RecordingTransport(({ envelope }) => {
    if (envelope.globalPosition === 2) log.owner = 'another';
  });
  assert.equal(await roundOver(log, { transport }), 'overtaken');
  assert.is(log.cursor, 0);
});

/** The process is frozen for longer than its lease after it has sent two messages. */
async function whileFrozen(happens: (log: InMemoryOutbox) => void) {
  const log = logOf('aaaa');
  let end: RunEnd | undefined;
  let sent = 0;
  await withFakeTimeouts(async (clock) => {
    const transport = new RecordingTransport(({ envelope }) => {
      sent++;
      if (envelope.globalPosition !== 2) return;
      clock.advance(60);
      happens(log);
    });
    end = await roundOver(log, { transport, leaseMs: 50 });
  });
  return { end, log, sent };
}

test('after its lease has expired and another relay has taken it, a relay sends nothing more, even without a notification', async () => {
  const { end, log, sent } = await whileFrozen((own) => {
    [own.owner, own.leaseUntil] = ['another', performance.now() + 50];
  });
  assert.equal([end, sent, log.cursor], ['overtaken', 2, 0]);
});

test('nor when another relay has had it meanwhile and moved the cursor', async () => {
  const { end, sent } = await whileFrozen((own) => (own.cursor = 1));
  assert.equal([end, sent], ['overtaken', 2]);
});

test('a lease that has expired and that nobody has taken is taken again: nothing is sent twice', async () => {
  const { end, log, sent } = await whileFrozen(() => undefined);
  assert.equal([end, sent, log.cursor], ['caught up', 4, 4]);
});

test('the lease is renewed while a message is slow', () =>
  withFakeTimeouts(async (clock) => {
    const log = logOf('a');
    const transport = new RecordingTransport(() => new Promise((resolve) => setTimeout(resolve, 900)));
    let end: RunEnd | undefined;
    void roundOver(log, { transport, leaseMs: 300 }).then((ended) => (end = ended));
    await advanceUntil(clock, () => end !== undefined);
    assert.equal(end, 'caught up');
    assert.ok(log.calls.filter((name) => name === 'acquireLease').length >= 3);
    assert.is(log.cursor, 1);
  }));

test('a round that is to stop does not ask for its lease again', async () => {
  const log = logOf('a');
  const stop = new AbortController();
  const transport = new RecordingTransport(() => new Promise(() => setImmediate(() => stop.abort())));
  await roundOver(log, { transport, signal: stop.signal, leaseMs: 400 });
  assert.is(log.calls.filter((name) => name === 'acquireLease').length, 1);
});

test('when another relay has moved the cursor meanwhile, the next round begins there', async () => {
  const log = logOf('aaaa');
  let reachable = false;
  const transport = new RecordingTransport(() => {
    if (!reachable) throw new TransportUnreachable();
  });
  const progress = noProgress();
  await roundOver(log, { transport, progress });
  log.cursor = 2;
  reachable = true;
  await roundOver(log, { transport, progress });
  assert.equal(transport.byStream.get('a'), [3, 4]);
});
