import { newUuid } from '../../../contracts/uuid.js';
import { quantile } from '../harness/statistics.js';
import type { EventLog, LogEvent } from './event-log.js';

export interface Order {
  readonly callers: number;
  readonly seconds: number;
  /** Default: appends of orders. The others are those of the Event Store Benchmark Suite. */
  readonly work?: 'bytes' | 'reads';
}

export interface Throughput {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

const warmUpMs = 300;
const eventsPerStream = 10;

/** Every caller appends to its own stream, or reads any, and waits for each answer before it continues. */
export async function closedLoop(log: EventLog, { callers, seconds, work }: Order): Promise<Throughput> {
  const starts =
    work === 'reads' ? await readersOf(log) : writersOf(log, work === 'bytes' ? bytes : orderEvent);
  const from = performance.now() + warmUpMs;
  const until = from + seconds * 1000;
  const latencies: number[] = [];
  const caller = async () => {
    for (const next = starts(); ;) {
      const asked = performance.now();
      await next();
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

/** For each caller: what it does next. */
type Callers = () => () => Promise<unknown>;

const writersOf =
  (log: EventLog, eventOf: (streamId: string) => LogEvent): Callers =>
  () => {
    let [expected, streamId] = [0, newUuid()];
    return () => {
      if (expected === eventsPerStream) [expected, streamId] = [0, newUuid()];
      return log.append(streamId, eventOf(streamId), expected++);
    };
  };

const readStreams = 500;
/** More would wait for a connection for too long on a busy machine. */
const fillers = 50;
const filled = new WeakMap<EventLog, Promise<readonly string[]>>();

async function readersOf(log: EventLog): Promise<Callers> {
  const streams = await (filled.get(log) ?? fill(log));
  return () => () =>
    log.read?.(streams[Math.floor(Math.random() * streams.length)] ?? '') ?? Promise.resolve();
}

function fill(log: EventLog): Promise<readonly string[]> {
  const streams = Array.from({ length: readStreams }, () => newUuid());
  let next = 0;
  const filler = async () => {
    for (let streamId = streams[next++]; streamId !== undefined; streamId = streams[next++])
      for (let expected = 0; expected < eventsPerStream; expected++)
        await log.append(streamId, bytes(streamId), expected);
  };
  const done = Promise.all(Array.from({ length: fillers }, filler)).then(() => streams);
  filled.set(log, done);
  return done;
}

const note = 'x'.repeat(256 - '{"note":""}'.length);

/** 256 bytes of JSON. */
const bytes = (streamId: string): LogEvent => ({ ...orderEvent(streamId), type: 'Noted', data: { note } });

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
