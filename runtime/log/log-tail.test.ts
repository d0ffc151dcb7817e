import * as assert from 'uvu/assert';
import { type EventOrigin, takesOrigin } from '../../contracts/event-origin.js';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { LogTail } from './log-tail.js';
import { InMemoryLog } from '../testing/in-memory-perspective-store.js';

const test = suite('log tail');

class Counted extends Event {}
class Other extends Event {}

function scene() {
  const log = new InMemoryLog();
  const readings: number[] = [];
  const connections = { changes: 0 };
  const tail = new LogTail(
    async ({ events, origin }, after, limit) => {
      readings.push(after);
      const head = log.entries.length;
      const names = events.map(({ name }) => name);
      const entries = log.entries
        .slice(after)
        .filter((entry) => names.includes(entry.event.messageType) && takesOrigin(origin, entry.isForeign));
      await Promise.resolve();
      const page = entries.slice(0, limit);
      return {
        entries: page,
        head,
        to: entries.length <= limit ? head : (page.at(-1)?.event.globalPosition ?? after),
      };
    },
    () => connections.changes,
  );
  tail.take({ events: [Counted, Other] });
  const append = (type: string, store = 'store') => log.append('a', type, {}, log.entries.length, store);
  const pageOf = (
    origin: EventOrigin,
    types: readonly (typeof Counted | typeof Other)[],
    after: number,
    limit = 10,
  ) => tail.page({ events: types, origin }, new Set(types.map(({ name }) => name)), after, limit);
  const page = (types: readonly (typeof Counted | typeof Other)[], after: number, limit = 10) =>
    pageOf('own', types, after, limit);
  const positions = async (...args: Parameters<typeof page>) => {
    const { entries, to } = await page(...args);
    return [entries.map(({ event }) => event.globalPosition), to];
  };
  return { tail, log, append, readings, page, pageOf, positions, connections };
}

test('the tail of the log is read once for all perspectives at it, and each gets its own types', async () => {
  const { append, readings, positions } = scene();
  append('Counted');
  assert.equal(await positions([Counted], 0), [[1], 1]);
  for (const type of ['Other', 'Counted', 'Other']) append(type);
  const before = readings.length;
  assert.equal(await positions([Counted], 1), [[3], 4]);
  assert.equal(await positions([Other], 1), [[2, 4], 4]);
  assert.equal(await positions([Other, Counted], 1, 2), [[2, 3], 3]);
  assert.is(readings.length, before + 1);
});

test('events of other stores are kept once a class takes them, and no other gets them', async () => {
  const { tail, append, readings, pageOf } = scene();
  tail.take({ events: [Counted], origin: 'others' });
  append('Counted');
  await pageOf('own', [Counted], 0);
  append('Counted', 'elsewhere');
  append('Counted');
  const before = readings.length;
  const found = async (origin: EventOrigin) =>
    (await pageOf(origin, [Counted], 1)).entries.map(({ event }) => event.globalPosition);
  assert.equal(await found('own'), [3]);
  assert.equal(await found('others'), [2]);
  assert.equal(await found('all'), [2, 3]);
  assert.is(readings.length, before + 1);
});

test('imported events are kept for those that take them, and no other gets them', async () => {
  const { log, tail, append, readings } = scene();
  append('Counted');
  const page = async (passesImported: boolean) => {
    const followed = { events: [Counted], passesImported };
    const { entries, to } = await tail.page(followed, new Set(['Counted']), 1, 10);
    return [entries.map(({ event }) => event.globalPosition), to];
  };
  await tail.page({ events: [Counted] }, new Set(['Counted']), 0, 10);
  for (let n = 0; n < 2; n++) append('Counted');
  const [, second] = log.entries;
  assert.ok(second);
  log.entries[1] = { ...second, isImported: true };
  const before = readings.length;
  assert.equal(await page(true), [[3], 3]);
  assert.equal(await page(false), [[2, 3], 3]);
  assert.is(readings.length, before + 1);
});

test('a perspective that is further behind reads by itself', async () => {
  const { append, positions } = scene();
  for (const type of ['Counted', 'Other', 'Counted']) append(type);
  await positions([Counted], 2);
  append('Counted');
  assert.equal(await positions([Counted], 0), [[1, 3, 4], 4]);
});

test('an event that arrives during a read is in the next one', async () => {
  const { append, positions } = scene();
  append('Counted');
  await positions([Counted], 0);
  const early = positions([Counted], 1);
  append('Counted');
  assert.equal(await positions([Counted], 1), [[2], 2]);
  await early;
});

test('what was read over lost connections is read again', async () => {
  const { append, readings, positions, connections } = scene();
  append('Counted');
  await positions([Counted], 0);
  append('Counted');
  await positions([Counted], 1);
  const before = readings.length;
  await positions([Other], 1);
  assert.is(readings.length, before);
  connections.changes++;
  await positions([Other], 1);
  assert.is(readings.length, before + 1);
});

test('nothing is kept when the log ends before what was read, over any connection', async () => {
  const { log, append, page } = scene();
  append('Counted');
  await page([Counted], 0);
  append('Counted');
  await page([Counted], 1);
  log.entries.length = 1;
  await page([Counted], 2);
  append('Counted');
  const { entries } = await page([Counted], 1);
  assert.equal(
    entries.map(({ event }) => event.messageId),
    log.entries.slice(1).map(({ event }) => event.messageId),
  );
});
