import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../kit/collect.js';
import { inMinutes, local, withInbox } from '../testing/inbox-scene.js';

const test = suite('times of received events');

test('an event dated more than 5 minutes after its recording is rejected', () =>
  withInbox(async ({ bakery, keep }) => {
    const stream = newUuid();
    assert.equal(
      await keep(
        bakery.event(stream, { occurredAt: inMinutes(6) }),
        bakery.event(stream, { occurredAt: inMinutes(4) }),
      ),
      ['in-the-future', 'stored'],
    );
  }));

test('the times of a store whose clock is an hour ahead are accepted, in its order', () =>
  withInbox(async ({ database, log, bakery, keep }) => {
    const stream = newUuid();
    const ahead = (minutes: number) =>
      bakery.event(stream, { occurredAt: inMinutes(minutes), recordedAt: inMinutes(minutes) });
    const sent = [ahead(0), ahead(60), ahead(61), ahead(61)];
    assert.equal(await keep(...sent), ['stored', 'stored', 'stored', 'stored']);
    const own = await log.append(stream, local());
    assert.equal(own.positions, [1]);
    await log.append(newUuid(), local());
    const rows = await database.rows({
      text: `SELECT event_type, global_position, occurred_at < now() + interval '5 minutes' FROM svc_events ORDER BY occurred_at, stream_position`,
    });
    assert.equal(
      rows.map((row) => row.join(' ')),
      ['Baked 1 t', 'Sold 6 t', 'Baked 2 f', 'Baked 3 f', 'Baked 4 f', 'Sold 5 f'],
      'our own events in the stream come after it, and other streams are not affected',
    );
  }));

test('times more than a day ahead are rejected', () =>
  withInbox(async ({ bakery, keep }) => {
    const far = inMinutes(25 * 60);
    assert.equal(await keep(bakery.event(newUuid(), { occurredAt: far, recordedAt: far })), [
      'in-the-future',
    ]);
  }));

test('a store whose own clock jumped ahead and back rejects nothing', () =>
  withInbox(async ({ owner, log, bakery, keep }) => {
    await owner.rows({
      text: `INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
        SELECT 1, gen_random_uuid(), 1, gen_random_uuid(), 'Sold', '{}', '{"v":1}', 'here', at, at FROM (SELECT clock_timestamp() + interval '1 hour' AS at) a`,
    });
    const stream = newUuid();
    await log.append(stream, local());
    await log.append(stream, [local()], { occurredAt: inMinutes(4) });
    await log.append(stream, [local()], { occurredAt: inMinutes(-4) });
    assert.equal(await keep(bakery.event(stream)), ['stored']);
    assert.is((await collect(log.readAll({ after: 0 }))).length, 5);
  }));

test('an event that happened before the last one of its stream is late, and perspectives will rewind for it', () =>
  withInbox(async ({ database, owner, log, bakery, keep }) => {
    await owner.rows({ text: "INSERT INTO svc_leases(name) VALUES ('svc_per_oven'), ('svc_per_shop')" });
    await owner.rows({
      text: `INSERT INTO svc_perspectives(table_name, name, hash, types, origin, by_stream)
        VALUES ('svc_per_oven', 'oven', '00', '{Baked}', 'all', true), ('svc_per_shop', 'shop', '01', '{Baked}', 'own', true)`,
    });
    const stream = newUuid();
    await log.append(stream, local());
    const late = bakery.event(stream, { occurredAt: '2026-03-01T09:30:00Z' });
    await keep(late, bakery.event(stream), bakery.event(newUuid()));
    assert.equal(await database.rows({ text: 'SELECT late FROM svc_events ORDER BY global_position' }), [
      ['f'],
      ['t'],
      ['f'],
      ['f'],
    ]);
    const rewinds = await database.rows({
      text: 'SELECT event_id, names FROM svc_rewinds JOIN svc_events USING (global_position)',
    });
    assert.equal(rewinds, [[late.messageId, '{oven}']], 'but those that take own events only');
  }));

test('recorded times never decrease, and positions have no gaps, whichever host writes', () =>
  withInbox(async ({ database, log, bakery, keep }) => {
    const stream = newUuid();
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? log.append(newUuid(), local()) : keep(bakery.event(stream), bakery.event(stream)),
      ),
    );
    const [row] = await database.rows({
      text: `SELECT count(*), max(global_position), bool_and(recorded_at >= before) FROM
        (SELECT global_position, recorded_at, lag(recorded_at, 1, '-infinity') OVER (ORDER BY global_position) AS before FROM svc_events) e`,
    });
    assert.equal(row, ['60', '60', 't']);
  }));
