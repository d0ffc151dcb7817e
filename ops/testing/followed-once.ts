import * as assert from 'uvu/assert';
import type { Test } from '../../contracts/testing/suite.js';
import { listReactions } from '../../runtime/reactions/reaction-lists.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { listPerspectives } from '../service/perspective-list.js';
import { countIn, type FollowedScene, type FollowedStore, withFollowers } from './followed-scene.js';
import type { Order } from './followed-shop.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { decodeBytes } from '../../runtime/envelope/envelope-codec.js';
import { withOperator } from '../../runtime/testing/nats-connections.js';

/** The orders of each customer, in order. */
type Lists = ReadonlyMap<string, readonly string[]>;

const commands = ['PlaceOrder', 'SendReceipt', 'ShipOrder', 'AskForReview'];

/** Each fault is a test, all in one scene; at its end, every follower must have done everything once. */
export function everyFollowerPasses(
  test: Test,
  faults: Readonly<Record<string, (scene: FollowedScene) => Promise<void>>>,
): void {
  const shared = sharedIn(test, withFollowers);
  for (const [rule, fault] of Object.entries(faults))
    test(rule, () =>
      shared(async (scene) => {
        await fault(scene);
        await everyFollowerDidEverythingOnce(scene);
      }),
    );
}

/** Everything that was ordered is followed once by each; nothing waits, and nothing is stuck. */
async function everyFollowerDidEverythingOnce(scene: FollowedScene): Promise<void> {
  await untilPasses(async () => {
    await mustBeFollowed(scene, scene.orders.placed);
    await mustBeAtTheHead(scene);
    await mustBeAudited(scene);
  });
  await mustBePublishedOnce(scene);
}

/** The same for these orders alone, while others are in trouble. */
export const untilFollowedOnce = (scene: FollowedScene, orders: readonly Order[]): Promise<void> =>
  untilPasses(() => mustBeFollowed(scene, orders));

async function mustBeFollowed({ shop, warehouse }: FollowedScene, orders: readonly Order[]): Promise<void> {
  const customers = new Set(orders.map(({ customerId }) => customerId));
  const listsIn = async ({ database }: FollowedStore, text: string): Promise<Lists> =>
    listsOf((await database.rows({ text })).filter(([customer]) => customers.has(customer ?? '')));
  const created = await listsIn(shop, eventsOf('OrderCreated'));
  assert.equal(
    [...created.values()].flat().toSorted(),
    orders.map(({ orderId }) => orderId).toSorted(),
    'each order is stored once',
  );
  assert.equal(
    [
      ...faultsOf('perspective', created, await listsIn(shop, rowsIn('svc_per_customers'))),
      ...faultsOf('reaction', created, await listsIn(shop, eventsOf('ReceiptSent'))),
      ...faultsOf('process', created, await listsIn(shop, eventsOf('OrderShipped')), anyOrder),
      ...faultsOf('timer', created, await listsIn(shop, eventsOf('ReviewAsked')), anyOrder),
      ...faultsOf('relay and subscriber', created, await listsIn(warehouse, eventsOf('OrderCreated'))),
      ...faultsOf('far perspective', created, await listsIn(warehouse, rowsIn('svc_per_far_orders'))),
    ],
    [],
  );
}

/** The subscriber would hide what the broker has twice. */
async function mustBePublishedOnce({ shop: { database }, broker }: FollowedScene): Promise<void> {
  const created = listsOf(await database.rows({ text: eventsOf('OrderCreated') }));
  assert.equal(faultsOf('broker', created, listsOf(await publishedOrders(broker))), []);
}

function listsOf(rows: readonly (readonly (string | null)[])[]): Lists {
  const lists = new Map<string, string[]>();
  for (const [customer, order] of rows)
    lists.set(customer ?? '', [...(lists.get(customer ?? '') ?? []), order ?? '']);
  return lists;
}

const eventsOf = (type: string): string =>
  `SELECT data ->> 'customerId', data ->> 'orderId' FROM svc_event_stream WHERE event_type = '${type}' ORDER BY global_position`;

const rowsIn = (table: string): string =>
  `SELECT t.id, o.id FROM ${table} t CROSS JOIN LATERAL jsonb_array_elements_text(t.model -> 'orders') WITH ORDINALITY o(id, n) ORDER BY t.id, o.n`;

/** What has a key for each order keeps no order of a customer. */
const anyOrder = 'in any order';

function faultsOf(follower: string, expected: Lists, found: Lists, order = ''): readonly string[] {
  const seen = [...found.values()].flat();
  const known = new Set(seen);
  const isDisordered = ([customer, orders]: readonly [string, readonly string[]]): boolean => {
    const own = [...new Set(found.get(customer))];
    return own.join() !== orders.filter((one) => own.includes(one)).join();
  };
  const counts = {
    lost: [...expected.values()].flat().filter((one) => !known.has(one)).length,
    doubled: seen.length - known.size,
    'customers in disorder': order === anyOrder ? 0 : [...expected].filter(isDisordered).length,
  };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([fault, count]) => `${follower}: ${count} ${fault}`);
}

export const lagReturnsTo0 = (scene: FollowedScene): Promise<void> =>
  untilPasses(async () => assert.equal(await lagsIn(scene), []));

/** How far followers are behind their log; of those that have caught up, nothing. */
async function lagsIn({ shop, warehouse, orders }: FollowedScene): Promise<readonly string[]> {
  const arrived = await countIn(warehouse, 'svc_events');
  const followers = [
    { name: 'outbox', lag: await countIn(shop, 'svc_outbox_pending') },
    { name: 'inbox', lag: orders.placed.length - arrived },
  ];
  for (const { database } of [shop, warehouse])
    followers.push(...(await listReactions(database)), ...(await listPerspectives(database)));
  return followers.filter(({ lag }) => lag > 0).map(({ name, lag }) => `${name} ${lag}`);
}

/** Nothing is left to do. */
async function mustBeAtTheHead(scene: FollowedScene): Promise<void> {
  assert.equal(await lagsIn(scene), []);
  for (const { database } of [scene.shop, scene.warehouse]) {
    for (const table of ['svc_stuck', `svc_stuck_work WHERE state IN ('retrying', 'parked')`, 'svc_timers'])
      assert.equal(await database.rows({ text: `SELECT * FROM ${table}` }), [], table);
    assert.equal(await database.rows({ text: `SELECT key FROM svc_processes WHERE status <> 'ended'` }), []);
  }
}

/** Every command, and every event that it stored, has one record. */
async function mustBeAudited({ shop: { database }, orders: { placed } }: FollowedScene): Promise<void> {
  const audited = await database.rows({
    text: `SELECT data ->> 'commandType', count(*) FROM svc_system_stream WHERE event_type = 'CommandAudited' GROUP BY 1`,
  });
  const counts = new Map(audited.map(([type, count]) => [type, Number(count)]));
  assert.equal(
    commands.map((command) => [command, counts.get(command)]),
    commands.map((command) => [command, placed.length]),
  );
  const other = await database.rows({
    text: `SELECT e.event_type, count(a.id) FROM svc_event_stream e
      LEFT JOIN (SELECT s.data ->> 'originalEventId' AS id FROM svc_system_stream s WHERE s.event_type = 'EventAudited') a
        ON a.id = e.event_id::text
      GROUP BY e.event_id, e.event_type HAVING count(a.id) <> 1`,
  });
  assert.equal(other, []);
}

/** What the broker has of the shop's orders, in its order: customer and order. What others sent has no id. */
async function publishedOrders(broker: string): Promise<readonly (readonly string[])[]> {
  const orders: string[][] = [];
  await withOperator(broker, async (operator) => {
    const filterSubjects = 'svc.events.OrderCreated';
    const consumer = await operator.jetstream().consumers.get('SVC_EVENTS', { filterSubjects });
    const { num_pending } = await consumer.info();
    for await (const { headers, data } of await consumer.fetch({ max_messages: num_pending })) {
      if (headers?.has('Nats-Msg-Id') !== true) continue;
      const { customerId, orderId } = (decodeBytes(data) as StoredEvent).payload as Order;
      orders.push([customerId, orderId]);
    }
  });
  return orders;
}
