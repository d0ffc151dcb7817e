import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { fingerprintOfText } from '../dead-letters/error-fingerprint.js';
import { withStuck } from '../testing/stuck-scene.js';
import { countStuck, countStuckCauses, listStuck, showStuck, type StuckFilter } from './stuck-entries.js';

const test = suite('stuck entries');

test('one list has everything that is parked or tried again, parked ones and of them the oldest first', () =>
  withStuck(async ({ call: { database } }) => {
    const listed = await listStuck(database, {}, 100);
    assert.equal(
      listed.map(({ follower, key, state, id }) => [follower, key, state, id]),
      [
        ['perspective/orders', 'o-1', 'parked', 'perspective/svc_per_orders_2@1/o-1'],
        ['reaction/reserve-stock', 'o-1', 'parked', 'reaction/reserve-stock/3@1/o-1'],
        ['process/payment', 'p-1', 'parked', 'process/payment/1@2/p-1'],
        ['process/payment', 'p-3', 'parked', 'process/payment@7/p-3'],
        [
          ...['timers', 'payment p-2', 'parked'],
          `timers@${Date.parse('2026-01-07T00:00:00Z')}000/00000000-0000-7000-8000-000000000001`,
        ],
        ['outbox', 'svc.events.Sold', 'parked', 'outbox/dead-letter@1'],
        ['inbox', 'svc.events.Baked', 'parked', 'inbox/dead-letter@2'],
        ['inbox', 'svc.events.Baked', 'parked', 'inbox/dead-letter@3'],
        ['reaction/reserve-stock', 'o-2', 'retrying', 'reaction/reserve-stock/4@2/o-2'],
        ['outbox', listed.at(-1)?.key, 'retrying', 'outbox@2'],
      ],
    );
    const [row, key] = listed;
    assert.equal([row?.since, row?.attempts, row?.position], ['2026-01-02T00:00:00Z', 3, 1]);
    assert.equal([key?.since, key?.nextAt, key?.kind], ['2026-01-03T00:00:00Z', null, 'reaction']);
    const [retried] = listed.filter(({ key: its }) => its === 'o-2');
    assert.equal([retried?.since, retried?.nextAt], ['2026-01-04T00:00:00Z', '2026-01-04T00:00:08Z']);
    assert.is((await listStuck(database, {}, 3)).length, 3);
  }));

test('a fingerprint is that of the error, stored or not', () =>
  withStuck(async ({ call: { database } }) => {
    const listed = await listStuck(database, { follower: 'reaction' }, 100);
    assert.is(new Set(listed.map(({ fingerprint }) => fingerprint)).size, 1);
    assert.is(listed[0]?.fingerprint, fingerprintOfText('no-stock: 1 of item 2 are missing'));
    const [letter] = await listStuck(database, { follower: 'outbox', state: 'parked' }, 1);
    assert.is(letter?.fingerprint, '00000000000a');
  }));

const noStock = fingerprintOfText('no-stock: 1 of item 2 are missing');

const found: readonly (readonly [StuckFilter, number])[] = [
  [{ follower: 'reaction/reserve-stock' }, 2],
  [{ follower: 'reaction/reserve' }, 0],
  [{ follower: 'process' }, 2],
  [{ follower: 'inbox' }, 2],
  [{ error: 'are missing' }, 2],
  [{ error: 'of item 12' }, 1],
  [{ error: '%' }, 0],
  [{ fingerprint: noStock }, 2],
  [{ fingerprint: noStock, state: 'parked' }, 1],
  [{ fingerprint: '00000000000b' }, 2],
  [{ fingerprint: '00000000000c' }, 0],
  [{ since: '2026-01-09T00:00:00Z' }, 3],
  [{ tenant: 'acme' }, 7],
  [{ tenant: 'acme', follower: 'timers' }, 1],
  [{ tenant: 'other' }, 0],
  [{ follower: 'reaction', error: 'no-stock', since: '2026-01-01T00:00:00Z', tenant: 'acme' }, 2],
];

test('each filter selects what it names, and together they select what has all of it', () =>
  withStuck(async ({ call: { database } }) => {
    for (const [filter, count] of found) {
      const name = JSON.stringify(filter);
      assert.is((await listStuck(database, filter, 100)).length, count, name);
      assert.is(await countStuck(database, filter), count, name);
    }
  }));

test('causes are counted over errors that differ in their values', () =>
  withStuck(async ({ owner, call: { database } }) => {
    await owner.rows({
      text: `INSERT INTO svc_stuck_work(follower, key, position, state, since, attempts, error)
        SELECT 'reaction/reserve-stock/0', 'k' || n, n, 'parked', '2026-01-01T00:00:00Z', 8, 'no-stock: ' || n || ' of item 1 are missing' FROM generate_series(1, 20) n`,
    });
    const [first] = await countStuckCauses(database, 1_000);
    assert.equal(
      [first?.follower, first?.state, first?.fingerprint, first?.count, first?.oldest],
      ['reaction/reserve-stock', 'parked', noStock, 21, '2026-01-01T00:00:00Z'],
    );
  }));

test('an entry is shown with its event, and never with what the event holds', () =>
  withStuck(async ({ call: { database } }) => {
    const shown = await showStuck(database, 'reaction/reserve-stock/3@1/o-1');
    assert.equal(Object.keys(shown?.event ?? {}), ['type', 'streamId', 'streamPosition', 'eventId']);
    assert.equal([shown?.event?.type, shown?.event?.streamPosition, shown?.tenant], ['Sold', 1, 'acme']);
    const message = await showStuck(database, 'inbox/dead-letter@2');
    assert.equal([message?.event?.type, message?.event?.destination], ['Baked', 'svc.events.Baked']);
    assert.not.match(JSON.stringify([shown, message]), 'secret');
    assert.is(await showStuck(database, 'reaction/reserve-stock/3@2/o-1'), undefined);
  }));
