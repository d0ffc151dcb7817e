import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { fileOf, importText, lineOf } from '../../runtime/testing/imported-events.js';
import { countIn, placeOrders, reserved, withReactionHosts } from '../testing/reaction-hosts.js';

const test = suite('reactions and imported events');

test('a reaction passes imported events, those before it started and those beside it, and misses no other', () =>
  withReactionHosts(async ({ owner, store, start }) => {
    const ordersAt = (count: number, occurredAt: string) =>
      fileOf(
        Array.from({ length: count }, (_, n) => {
          const streamId = newUuid();
          return lineOf({
            streamId,
            eventType: 'OrderPlaced',
            occurredAt,
            data: { orderId: streamId, item: String(n) },
          });
        }),
      );
    await placeOrders(store, 2);
    await importText(owner, ordersAt(3_000, '2020-01-01T00:00:00Z'));
    await placeOrders(store, 2);
    start();
    await until(async () => (await countIn(owner, reserved)) === 4);
    // It has just happened: the mark of the row counts, not its time.
    await importText(owner, ordersAt(300, new Date().toISOString()));
    await placeOrders(store, 3);
    await until(async () => (await countIn(owner, reserved)) === 7);
    const behind = `svc_progress WHERE name LIKE 'reaction/%' AND position < (SELECT max(global_position) FROM svc_events WHERE event_type = 'OrderPlaced')`;
    await until(async () => (await countIn(owner, behind)) === 0);
    assert.is(await countIn(owner, reserved), 7);
    assert.is(await countIn(owner, "svc_stuck_work WHERE state = 'parked'"), 0);
  }));
