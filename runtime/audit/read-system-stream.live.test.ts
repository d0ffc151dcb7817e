import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { lastSystemPosition, systemPages } from './read-system-stream.js';

const test = suite('system pages');

const withRecords = (
  bodies: readonly string[],
  body: (database: Parameters<typeof systemPages>[0]) => Promise<void>,
) =>
  withMigratedDatabase(async ({ connect, openStore }) => {
    const store = openStore();
    const records = bodies.map((payload) => ({
      envelope: { messageId: newUuid(), messageType: 'CommandAudited', payload, timestamp: '', v: 1 },
      publish: false,
    }));
    for (let at = 0; at < records.length; at += 1000)
      await store.commit({ events: [], records: records.slice(at, at + 1000), expected: new Map() });
    await body(connect());
  });

const pagesOf = async (database: Parameters<typeof systemPages>[0], from: number, to: number) => {
  const pages: number[][] = [];
  for await (const page of systemPages(database, 'data', { from, to }))
    pages.push(page.map(([position]) => Number(position)));
  return pages;
};

test('every row is read once, in order, over as many pages as needed', () =>
  withRecords(Array<string>(6000).fill('small'), async (database) => {
    const pages = await pagesOf(database, 1, 6000);
    assert.equal(
      pages.map((page) => page.length),
      [5000, 1000],
    );
    assert.equal(
      pages.flat(),
      Array.from({ length: 6000 }, (_, n) => n + 1),
    );
    assert.is(await lastSystemPosition(database), 6000);
  }));

test('a range ends at its upper bound', () =>
  withRecords(Array<string>(10).fill('small'), async (database) => {
    assert.equal(await pagesOf(database, 3, 5), [[3, 4, 5]]);
    assert.equal(await pagesOf(database, 9, 99), [[9, 10]]);
    assert.equal(await pagesOf(database, 11, 99), []);
  }));

test('large rows make small pages', () => {
  const heavy = Array.from({ length: 8 }, () =>
    Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2)).join(''),
  );
  return withRecords(heavy, async (database) => {
    const pages = await pagesOf(database, 1, 8);
    assert.equal(pages.flat(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.ok(pages.length >= 4, `${pages.length} pages`);
  });
});
