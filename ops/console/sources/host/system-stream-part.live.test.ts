import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import type { SystemPart } from '../../model/system-records.js';
import { withMigratedDatabase } from '../../../../runtime/testing/migrated-database.js';
import { systemPart } from './system-stream-part.js';

const test = suite('system stream of the console');

/** Inserts records, every hundredth of Ada and every tenth a failure. */
const withRecords = (count: number, body: (system: SystemPart) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    // A statement has a time limit, which a busy machine reaches.
    for (let from = 1; from <= count; from += 10_000)
      await owner.rows({
        text: `INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
        SELECT n, n, gen_random_uuid(), CASE WHEN n % 10 = 0 THEN 'CommandFailed' ELSE 'CommandAudited' END,
          json_build_object('commandType', 'Repair', 'error', CASE WHEN n % 10 = 0 THEN json_build_object('message', 'broke') END),
          json_build_object('correlationId', 'c-' || n || '.', 'scope', json_build_object('userId', CASE WHEN n % 100 = 0 THEN 'Ada' END)),
          false, '', '', 'h', clock_timestamp() FROM generate_series($1::int, $2::int) n`,
        values: [from, Math.min(count, from + 9_999)],
      });
    await body(systemPart(connect()));
  });

test('a page has the newest records first, and where the next page starts', () =>
  withRecords(25, async (system) => {
    const first = await system.page({}, undefined, 10);
    assert.equal([first.records[0]?.position, first.records.at(-1)?.position, first.before], [25, 16, 16]);
    const last = await system.page({}, 6, 10);
    assert.equal([last.records.length, last.before], [5, undefined]);
  }));

test('a record about a process, a reaction or a timer says which', () =>
  withMigratedDatabase(async ({ connect }) => {
    const data = {
      processName: 'order-fulfilment',
      key: 'order-7',
      outcome: 'shipped',
      reactionName: 'remind',
      error: { message: 'the bank answered 503' },
      scheduleName: 'nightly',
      missed: 2,
      policy: 'skip',
      count: 3,
      oldestDue: '2026-01-01T00:00:00Z',
    };
    const types = ['ProcessStarted', 'ProcessEnded', 'ReactionFailed', 'ScheduleMissed', 'TimersMissed'];
    await connect({ owner: true }).rows({
      text: `INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
        SELECT n, n, gen_random_uuid(), type, CASE type WHEN 'ReactionFailed' THEN $2::json ELSE ($2::jsonb - 'error')::json END,
          '{}', false, '', '', 'h', clock_timestamp() FROM unnest($1::text[]) WITH ORDINALITY t(type, n)`,
      values: [types, JSON.stringify(data)],
    });
    const { records } = await systemPart(connect()).page({}, undefined, 10);
    assert.equal(records.map(({ subject }) => subject).toReversed(), [
      'order-fulfilment order-7',
      'order-fulfilment order-7 shipped',
      'remind order-7: the bank answered 503',
      'nightly 2 skip',
      '3 since 2026-01-01T00:00:00Z',
    ]);
  }));

test('a filter finds old records', () =>
  withRecords(12_000, async (system) => {
    const { records, before } = await system.page({ correlation: 'C-7.' }, undefined, 10);
    assert.equal([records.map(({ position }) => position), before], [[7], undefined]);
    const hers = await system.page({ user: 'Ada', type: 'CommandFailed' }, undefined, 200);
    assert.is(hers.records.length, 120);
    assert.equal(hers.records[0]?.user, 'Ada');
  }));

test('a search is bounded, and can be continued', () =>
  withRecords(120_000, async (system) => {
    const { records, before } = await system.page({ type: 'Nothing' }, undefined, 10);
    assert.equal([records.length, before], [0, 20_001]);
    assert.is((await system.page({ type: 'Nothing' }, before, 10)).before, undefined);
  }));

test('records are found by host, status and time, and their values are counted', () =>
  withRecords(300, async (system) => {
    const all = await system.page({}, undefined, 200);
    const time = (index: number) => all.records[index]?.recordedAt.slice(0, 23).concat('Z') ?? '';
    const failed = await system.page({ status: 'failed', host: 'H' }, undefined, 200);
    assert.is(failed.records.length, 30);
    assert.is((await system.page({ status: 'succeeded' }, undefined, 200)).records.length, 200);
    assert.is((await system.page({ host: 'other' }, undefined, 10)).records.length, 0);
    assert.is((await system.page({ until: '2020-01-01T00:00:00.000Z' }, undefined, 10)).before, undefined);
    const since = await system.page({ since: time(99) }, undefined, 200);
    assert.ok(
      since.records.length >= 99 &&
        since.records.every(({ recordedAt }) => recordedAt >= time(99).slice(0, 23)),
    );
    const { values, examined } = await system.facets({ status: 'failed' });
    assert.is(examined, 300);
    assert.equal(values.map(({ facet, value, count }) => `${facet} ${value} ${count}`).sort(), [
      'host h 30',
      'type CommandFailed 30',
      'user Ada 3',
    ]);
  }));

test('a time far from the newest records is searched without reading what is between', () =>
  withRecords(12_000, async (system) => {
    const { records } = await system.page(
      { until: '2999-01-01T00:00:00.000Z', type: 'CommandFailed' },
      undefined,
      1,
    );
    assert.is(records[0]?.position, 12_000);
    const newer = await system.page({ since: '2999-01-01T00:00:00.000Z' }, undefined, 10);
    assert.equal([newer.records, newer.before], [[], undefined]);
    assert.equal((await system.facets({ since: '2999-01-01T00:00:00.000Z' })).values, []);
  }));

test('new records are read oldest first, up to the limit', () =>
  withRecords(30, async (system) => {
    assert.equal(
      (await system.after(20, 5)).map(({ position }) => position),
      [26, 27, 28, 29, 30],
    );
    assert.equal([await system.after(30, 5), await system.head()], [[], 30]);
  }));

test('a record has a subject; its data is read on demand', () =>
  withRecords(10, async (system) => {
    const [line] = await system.after(9, 1);
    assert.is(line?.subject, 'Repair: broke');
    assert.not.ok(line !== undefined && 'data' in line);
    const whole = await system.record(10);
    assert.match(JSON.stringify(whole?.data), '"commandType":"Repair"');
    assert.is(await system.record(11), undefined);
  }));

test('a broken chain is reported with the position of the break', () =>
  withRecords(3, async (system) => {
    const { ok, records, firstBroken } = await system.verify();
    assert.equal([ok, records, firstBroken], [false, 0, 1]);
  }));
