import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { TransportUnreachable } from '../../contracts/transport.js';
import { until } from '../../runtime/kit/until.js';
import { RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { withRelay, append, stands, mustBeInOrder } from '../testing/outbox-relays.js';

const test = suite('outbox relay on PostgreSQL');

/** A relay that loses its lease on a busy machine sends again what it has not recorded. */
const leaseMs = 60_000;

test('10,000 events are published in stream order, each once, through a transport that fails at random', () =>
  withRelay(async ({ log, database, start }) => {
    await append(log, 10_000, 500);
    const transport = new RecordingTransport(async () => {
      await new Promise(setImmediate);
      const chance = Math.random();
      if (chance < 0.02) throw new RangeError('not now');
      if (chance < 0.0205) throw new TransportUnreachable();
    });
    const relay = start(transport, { maxAttempts: 50, firstRetryMs: 5, leaseMs });
    await until(stands(database, 10_000));
    assert.is(new Set(transport.taken.map(({ id }) => id)).size, 10_000);
    assert.is(transport.taken.length, 10_000);
    mustBeInOrder(transport);
    assert.ok(relay.counts.refused > 100);
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_stuck_work' }), []);
  }));

test('events that are appended while the relay works are published in order too', () =>
  withRelay(async ({ log, database, start }) => {
    const transport = new RecordingTransport();
    start(transport, { leaseMs });
    await append(log, 3_000, 50);
    await until(stands(database, 3_000));
    assert.is(transport.taken.length, 3_000);
    mustBeInOrder(transport);
  }));
