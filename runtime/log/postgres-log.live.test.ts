import * as assert from 'uvu/assert';
import { EventAudited } from '../../contracts/events/audited.js';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { fileOf, importText, lineOf } from '../testing/imported-events.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import type { OnlyThese } from './log-entry.js';
import { PostgresLog } from './postgres-log.js';

const test = suite('parts of the log');

class Baked extends Event {}

test('a page may hold only some positions, or only some streams', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const store = openStore();
    const streams = Array.from({ length: 3 }, () => newUuid());
    for (const messageType of ['Baked', 'Burnt', 'Baked'])
      for (const stream of streams)
        await store.append(stream, {
          messageId: newUuid(),
          messageType,
          payload: {},
          timestamp: new Date().toISOString(),
          v: 1,
        });
    const log = new PostgresLog(connect(), undefined);
    const followed = { events: [Baked, EventAudited] };
    const at = (await log.page(followed, 0, 100)).entries.map(({ event }) => event.globalPosition);
    assert.is(at.length, 6);
    const [first = 0, second = 0, third = 0, fourth = 0, , last = 0] = at;
    const page = async (after: number, limit: number, only: OnlyThese) => {
      const { entries, to, head } = await log.page(followed, after, limit, only);
      return [entries.map(({ event }) => event.globalPosition), to === head] as const;
    };
    assert.equal(await page(0, 3, { positions: [last, first, second + 1_000] }), [[first, last], true]);
    assert.equal(await page(0, 9, { streams: streams.slice(0, 1), behind: [first] }), [[fourth], true]);
    assert.equal(await page(0, 2, { streams: streams.slice(0, 2), behind: [0, 0] }), [
      [first, second],
      false,
    ]);
    assert.equal(await page(third, 9, { streams: [newUuid()], behind: [0] }), [[], true]);
  }));

test('who passes imported events jumps over them, and meets what was appended beside them', () =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const [owner, store] = [connect({ owner: true }), openStore()];
    const append = () =>
      store.append(newUuid(), [
        {
          messageId: newUuid(),
          messageType: 'Baked',
          payload: {},
          timestamp: new Date().toISOString(),
          v: 1,
        },
      ]);
    const bake = async (count: number) =>
      importText(
        owner,
        fileOf(Array.from({ length: count }, () => lineOf({ occurredAt: new Date().toISOString() }))),
      );
    await append();
    await bake(30);
    await bake(5);
    await append();
    await bake(7);
    // The second import continues the range of the first, behind its record.
    assert.equal(await owner.rows({ text: 'SELECT low, high FROM svc_imports ORDER BY low' }), [
      ['2', '37'],
      ['40', '46'],
    ]);
    const log = new PostgresLog(connect(), undefined);
    const positions = async (passesImported: boolean, after = 0, limit = 100) => {
      const { entries, to } = await log.page({ events: [Baked], passesImported }, after, limit);
      return [entries.map(({ event }) => event.globalPosition), to] as const;
    };
    assert.equal(await positions(true), [[1, 39], 47]);
    for (const after of [1, 2, 31, 37]) assert.equal(await positions(true, after), [[39], 47]);
    assert.equal(await positions(true, 0, 1), [[1], 1]);
    assert.equal(await positions(true, 39), [[], 47]);
    assert.is((await positions(false))[0].length, 44);
    const { entries } = await log.page({ events: [Baked] }, 0, 2);
    assert.equal(
      entries.map(({ isImported }) => isImported),
      [undefined, true],
    );
  }));
