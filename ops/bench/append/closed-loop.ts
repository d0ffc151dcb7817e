import { newUuid } from '../../../contracts/uuid.js';
import { quantile } from '../harness/statistics.js';
import type { EventLog, LogEvent } from './event-log.js';

export interface Order {
  readonly callers: number;
  readonly seconds: number;
}

export interface Throughput {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

const warmUpMs = 300;
const eventsPerStream = 10;

/** Every caller appends to its own stream and waits for each answer before the next append. */
export async function closedLoop(log: EventLog, { callers, seconds }: Order): Promise<Throughput> {
  const from = performance.now() + warmUpMs;
  const until = from + seconds * 1000;
  const latencies: number[] = [];
  const caller = async () => {
    for (let expected = 0, streamId = newUuid(); ; expected++) {
      if (expected === eventsPerStream) [expected, streamId] = [0, newUuid()];
      const asked = performance.now();
      await log.append(streamId, orderEvent(streamId), expected);
      const now = performance.now();
      if (now >= until) return;
      if (now >= from) latencies.push(now - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return {
    rate: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

/** About 370 bytes of JSON, and the other fields of an envelope. */
function orderEvent(orderId: string): LogEvent {
  return {
    type: 'OrderCreated',
    data: {
      orderId,
      customerId: '018f3a52-7c1e-7cc0-9d3a-2b1f4c5d6e7f',
      lineItems: [
        { productId: 'sku-10442', quantity: 2, unitPrice: '19.99' },
        { productId: 'sku-20981', quantity: 1, unitPrice: '49.99' },
        { productId: 'sku-31337', quantity: 3, unitPrice: '5.00' },
      ],
      shippingAddress: { street: '12 Harbour Street', city: 'Portsmouth', state: 'NH', zipCode: '03801' },
      total: '104.97',
    },
    metadata: {
      correlationId: orderId,
      causationId: orderId,
      scope: { tenantId: 'harbour', userId: 'u-1024' },
      traceparent: '00-018f3a527c1e7cc09d3a2b1f4c5d6e7f-9d3a2b1f4c5d6e7f-00',
    },
  };
}
