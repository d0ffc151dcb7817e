import type { StoredEvent } from '../../contracts/event-store.js';
import { decodeBytes } from '../../runtime/envelope/envelope-codec.js';
import { withOperator } from '../../runtime/testing/nats-connections.js';
import type { Order } from './followed-shop.js';

/** What the broker has of the shop's orders, in its order: customer and order. What others sent has no id. */
export async function publishedOrders(broker: string): Promise<readonly (readonly string[])[]> {
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
