import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import { DestinationUnreachable, TransportUnreachable } from '../../contracts/transport.js';
import { InMemoryOutbox, RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { RelayPublisher } from './relay-publisher.js';

const test = suite('relay publisher');

const tooLarge = new RangeError('too large');

interface Scene {
  readonly answer?: () => void;
  readonly lets?: boolean;
}

async function scene({ answer, lets = true }: Scene) {
  const log = new InMemoryOutbox();
  log.append('bakery');
  const outbox = log.heldBy('us');
  await outbox.acquireLease(1_000);
  const transport = new RecordingTransport(answer);
  const reports: SystemMessage[] = [];
  const counts = { published: 0, filtered: 0, refused: 0, deadLettered: 0 };
  const filter = { shouldPublishToTransport: () => lets, shouldReceiveFromTransport: () => lets };
  const ports = { outbox, transport, filter, report: (message: SystemMessage) => void reports.push(message) };
  const settings = { maxAttempts: 3, firstRetryMs: 100, maxRetryMs: 1_000 };
  const [message] = log.messages;
  assert.ok(message);
  return { log, transport, reports, counts, message, sender: new RelayPublisher(ports, settings, counts) };
}

const refuse = (): void => {
  throw tooLarge;
};

const away = (): void => {
  throw new TransportUnreachable();
};

test('a message that the transport accepts is settled', async () => {
  const { sender, message, transport, counts } = await scene({});
  assert.equal(await sender.publish(message, 0), { is: 'settled' });
  assert.equal([transport.taken.length, counts.published], [1, 1]);
});

test('a message that the filter excludes is skipped and counted', async () => {
  const { sender, message, transport, counts } = await scene({ lets: false });
  assert.equal(await sender.publish(message, 0), { is: 'settled' });
  assert.equal([transport.taken.length, counts.published, counts.filtered], [0, 0, 1]);
});

test('an unreachable transport does not count as an attempt', async () => {
  const { sender, message, log, counts } = await scene({ answer: away });
  assert.equal(await sender.publish(message, 2), { is: 'unreachable' });
  assert.equal([log.failures.size, log.dead.size, counts.refused], [0, 0, 0]);
});

test('a destination that cannot be reached is neither an attempt nor an obstacle for others', async () => {
  const answer = (): void => {
    throw new DestinationUnreachable();
  };
  const { sender, message, log, counts } = await scene({ answer });
  assert.equal(await sender.publish(message, 2), { is: 'refused', attempts: 2, retryInMs: 1_000 });
  assert.equal([log.failures.size, log.dead.size, counts.refused], [0, 0, 0]);
});

test('a refusal is recorded and retried later', async () => {
  const { sender, message, log, reports } = await scene({ answer: refuse });
  log.failures.set(1, { attempts: 1, error: 'RangeError: too slow' });
  const sent = await sender.publish(message, 1);
  assert.is(sent.is, 'refused');
  assert.ok(sent.is === 'refused' && sent.attempts === 2 && sent.retryInMs <= 200);
  const { attempts, error } = log.failures.get(1) ?? {};
  assert.equal([attempts, error], [2, 'RangeError: too large']);
  assert.equal(reports, []);
});

test('the last refusal makes a dead letter, and the relay continues', async () => {
  const { sender, message, log, reports, counts } = await scene({ answer: refuse });
  assert.equal(await sender.publish(message, 2), { is: 'settled' });
  assert.is(log.dead.get(1)?.attempts, 3);
  assert.equal([counts.refused, counts.deadLettered], [1, 1]);
  const [report] = reports;
  assert.is(report?.constructor.name, 'MessageDeadLettered');
});

test('a message that is too large is a dead letter at once', async () => {
  const answer = (): void => {
    throw new Problem('message-too-large');
  };
  const { sender, message, log } = await scene({ answer });
  assert.equal(await sender.publish(message, 0), { is: 'settled' });
  assert.match(log.dead.get(1)?.error ?? '', 'message-too-large');
});

test('a relay that has lost the lease records nothing', async () => {
  for (const attempts of [0, 2]) {
    const { sender, message, log, reports } = await scene({ answer: refuse });
    log.owner = 'another';
    assert.equal(await sender.publish(message, attempts), { is: 'lost' });
    assert.equal([log.failures.size, log.dead.size, reports.length], [0, 0, 0]);
  }
});

const replayOf = async (options: Scene) => {
  const made = await scene(options);
  made.log.dead.set(1, { attempts: 3, error: 'x', fingerprint: 'x' });
  made.log.replaying.add(1);
  const sent = await made.sender.replay({ ...made.message, attempts: 3, deadLetterId: '1' });
  return { ...made, sent };
};

test('a replayed dead letter that the transport accepts is resolved', async () => {
  const { sent, log, transport } = await replayOf({});
  assert.equal(sent, { is: 'settled' });
  assert.equal([transport.taken.length, log.replaying.size], [1, 0]);
});

test('a replayed dead letter that is refused again stays a dead letter', async () => {
  const { sent, log, reports } = await replayOf({ answer: refuse });
  assert.equal(sent, { is: 'settled' });
  assert.equal([log.dead.get(1)?.attempts, log.replaying.size, reports.length], [4, 0, 1]);
});

test('a replayed dead letter that the filter excludes stays a dead letter, with the reason', async () => {
  const { log } = await replayOf({ lets: false });
  assert.match(log.dead.get(1)?.error ?? '', 'held-back');
});

test('a replayed dead letter waits for a transport that cannot be reached', async () => {
  const { sent, log } = await replayOf({ answer: away });
  assert.equal(sent, { is: 'unreachable' });
  assert.equal([log.dead.get(1)?.attempts, log.replaying.size], [3, 1]);
});
