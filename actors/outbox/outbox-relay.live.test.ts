import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { replayDeadLetters } from '../../runtime/dead-letters/dead-letters.js';
import { until } from '../../runtime/kit/until.js';
import { relayDefaults } from './outbox-relay.js';
import { RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { withRelay, append, stands } from '../testing/outbox-relays.js';

const test = suite('outbox relay on PostgreSQL');

/** Long after the test: only a notification makes a relay look at the log. */
const neverMs = 3_600_000;

const listeners = "datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'";
const isListening = (owner: Database) => async () =>
  (await owner.rows({ text: `SELECT 1 FROM pg_stat_activity WHERE ${listeners}` })).length === 1;

test('a dead letter that an operator replays is published at once', () =>
  withRelay(async ({ log, database, owner, start }) => {
    let refusing = true;
    const transport = new RecordingTransport(() => {
      if (refusing) throw new RangeError('not now');
    });
    start(transport, { maxAttempts: 1, leaseMs: neverMs, idleMs: neverMs });
    await until(isListening(owner));
    await append(log, 1);
    await until(stands(database, 1));
    refusing = false;
    const operator = { host: 'desk', changedBy: 'ada' };
    await replayDeadLetters({ database, operator }, { error: 'not now' });
    await until(() => transport.taken.length === 1);
    await until(async () => (await database.rows({ text: 'SELECT 1 FROM svc_dead_letters' })).length === 0);
  }));

test('each event is published when its commit is notified', () =>
  withRelay(async ({ log, owner, start }) => {
    const transport = new RecordingTransport();
    const relay = start(transport, { leaseMs: neverMs, idleMs: neverMs });
    await until(isListening(owner));
    for (let n = 1; n <= 40; n++) {
      await until(() => relay.state === 'waiting');
      await append(log, 1);
      await until(() => transport.taken.length === n);
    }
  }));

test('an idle relay queries the store at most once a second', () =>
  withRelay(async ({ database, owner, start, statements }) => {
    const relay = start(new RecordingTransport(), { leaseMs: 1_000, idleMs: neverMs });
    const isWaiting = () => relay.state === 'waiting';
    await until(isListening(owner));
    await until(isWaiting);
    const before = statements();
    const lease = "SELECT lease_until FROM svc_leases WHERE name = 'outbox'";
    const renewals = new Set<unknown>();
    await until(async () => renewals.add((await database.rows({ text: lease }))[0]?.[0]).size > 5);
    assert.is(statements(), before, 'no renewal of the lease looks at the log');
    relay.wake();
    await until(() => statements() > before && isWaiting());
    assert.ok(statements() - before <= relayDefaults.idleMs / 1_000, 'one look at each idle time');
  }));

test('when the listening connection is cut, the poll still finds new events, and listening resumes', () =>
  withRelay(async ({ log, owner, start }) => {
    const transport = new RecordingTransport();
    const relay = start(transport, { leaseMs: 1_000, idleMs: 400 });
    await until(() => relay.state === 'waiting');
    await until(isListening(owner));
    const cut = await owner.rows({
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listeners}`,
    });
    assert.is(cut.length, 1);
    await append(log, 1);
    await until(() => transport.taken.length === 1);
    await until(isListening(owner));
  }));
