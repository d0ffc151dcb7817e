import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { TransportUnreachable } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/testing/until.js';
import { relayDefaults } from './outbox-relay-machine.js';
import { RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { withRelay, append, stands, mustBeInOrder, happened } from '../testing/outbox-relays.js';

const test = suite('outbox relay on PostgreSQL');

test('while the transport cannot be reached everything waits without an attempt; then all of it is published', () =>
  withRelay(async ({ log, database, start }) => {
    let reachable = true;
    const transport = new RecordingTransport(() => {
      if (!reachable) throw new TransportUnreachable();
    });
    const relay = start(transport);
    await append(log, 100);
    await until(stands(database, 100));
    reachable = false;
    await append(log, 500);
    await until(() => relay.state === 'outOfReach');
    assert.equal(await database.rows({ text: 'SELECT count(*), max(attempts) FROM svc_outbox_pending' }), [
      ['500', '0'],
    ]);
    reachable = true;
    const took = await until(stands(database, 600));
    assert.ok(took < 5_000, `${took} ms`);
    assert.is(relay.counts.refused, 0);
    mustBeInOrder(transport);
  }));

test('a poison message becomes a dead letter and is reported; the others, also of its stream, are published', () =>
  withRelay(async ({ log, database, start, reports }) => {
    const [stream, other] = [newUuid(), newUuid()];
    const poison = happened();
    await log.append(stream, [happened(), poison, happened()]);
    await log.append(other, [happened(), happened()]);
    const transport = new RecordingTransport(({ id }) => {
      if (id === poison.messageId) throw new RangeError('it has 712 bytes too many');
    });
    const relay = start(transport, { firstRetryMs: 10 });
    await until(stands(database, 5));
    assert.equal(transport.byStream.get(stream), [1, 3]);
    assert.equal(transport.byStream.get(other), [1, 2]);
    assert.equal([relay.counts.refused, relay.counts.deadLettered], [5, 1]);
    const [dead] = await database.rows({
      text: 'SELECT message_id, attempts, last_error, fingerprint FROM svc_dead_letters',
    });
    const [report] = reports as Record<string, unknown>[];
    assert.equal(dead?.slice(0, 3), [poison.messageId, '5', 'RangeError: it has 712 bytes too many']);
    assert.equal(
      [report?.['messageId'], report?.['attempts'], report?.['fingerprint']],
      [poison.messageId, 5, dead?.[3]],
    );
  }));

test('a replayed dead letter is published at once', () =>
  withRelay(async ({ log, database, start }) => {
    let refusing = true;
    const transport = new RecordingTransport(() => {
      if (refusing) throw new RangeError('not now');
    });
    start(transport, { maxAttempts: 1, pollMs: 20_000 });
    await append(log, 1);
    await until(stands(database, 1));
    refusing = false;
    await database.rows({
      text: "SELECT svc_resolve_dead_letter(id, 'replaying', 'ada', NULL) FROM svc_dead_letters",
    });
    const took = await until(() => transport.taken.length === 1);
    assert.ok(took < 5_000, `${took} ms`);
    await until(async () => (await database.rows({ text: 'SELECT 1 FROM svc_dead_letters' })).length === 0);
  }));

test('an event is published within moments of its commit', () =>
  withRelay(async ({ log, start }) => {
    const transport = new RecordingTransport();
    const relay = start(transport);
    await append(log, 50);
    await until(() => transport.taken.length === 50 && relay.state === 'idle');
    const waits: number[] = [];
    for (let n = 51; n <= 90; n++) {
      await append(log, 1);
      waits.push(await until(() => transport.taken.length >= n));
    }
    const median = waits.toSorted((a, b) => a - b)[20] ?? 0;
    // Without a notification it would take half a poll interval, one second.
    assert.ok(median < 400, `${median} ms`);
  }));

test('an idle relay queries the store at most once a second', () =>
  withRelay(async ({ start, statements }) => {
    const faster = 8;
    const relay = start(new RecordingTransport(), { pollMs: relayDefaults.pollMs / faster });
    await until(() => relay.state === 'idle');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = statements();
    const from = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // A busy machine wakes up later.
    const seconds = ((performance.now() - from) / 1_000) * faster;
    const count = statements() - before;
    assert.ok(count <= seconds, `${count} statements in ${seconds} s`);
    await until(() => statements() - before >= 2);
  }));

test('when the listening connection is cut, the poll still finds new events, and listening resumes', () =>
  withRelay(async ({ log, owner, start }) => {
    const transport = new RecordingTransport();
    const relay = start(transport, { pollMs: 500 });
    const listeners = () =>
      owner.rows({
        text: `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`,
      });
    await until(async () => relay.state === 'idle' && (await listeners()).length === 1);
    const cut = await owner.rows({
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`,
    });
    assert.is(cut.length, 1);
    await append(log, 1);
    await until(() => transport.taken.length === 1);
    await until(async () => (await listeners()).length === 1);
  }));
