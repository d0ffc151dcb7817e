import { createHash } from 'node:crypto';
import { AckPolicy, type ConsumerInfo, DeliverPolicy, type NatsConnection, nanos } from 'nats';
import type { SubscriptionRequest } from '../../contracts/transport.js';
import type { NatsNames } from './nats-names.js';
import { managerOf, messagesKeptMs, whenFound } from './nats-streams.js';

/** A message without a sign of progress for this long is redelivered, possibly to another host. */
export const ackWaitMs = 3_000;

interface ConsumerName {
  readonly stream: string;
  readonly durable: string;
  /** Undefined: everything in the stream. */
  readonly filter: string | undefined;
}

export function consumerOf({ name, subjects }: SubscriptionRequest, names: NatsNames): ConsumerName {
  const [first, ...others] = subjects;
  return {
    stream: names.streamOf(subjects),
    durable: durableName(names.consumerOf(name)),
    // Brokers before 2.10 support one filter per consumer.
    filter: first !== undefined && others.length === 0 ? names.subjectOf(first) : undefined,
  };
}

/** Stable for the same name; a name that the broker would reject is replaced by one with its hash. */
export function durableName(name: string): string {
  const legal = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, 100);
  if (legal === name && legal !== '') return legal;
  return `${legal}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}

/** A filter is widened, never narrowed: another host of the same name may still want what we do not. */
export async function ensureConsumer(
  connection: NatsConnection,
  { stream, durable, filter }: ConsumerName,
): Promise<ConsumerInfo> {
  const { consumers } = await managerOf(connection);
  const found = await whenFound(consumers.info(stream, durable));
  const has = found?.config.filter_subject ?? '';
  const isWideEnough = has === '' || has === filter;
  if (found !== undefined && isWideEnough && isForgotten(found)) return found;
  const narrowed = found === undefined || has === filter ? filter : undefined;
  return consumers.add(stream, {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    deliver_policy: DeliverPolicy.All,
    max_deliver: -1,
    max_ack_pending: 1_024,
    // After a longer absence the messages are gone anyway.
    inactive_threshold: nanos(messagesKeptMs),
    ...(narrowed === undefined ? {} : { filter_subject: narrowed }),
  });
}

const isForgotten = ({ config }: ConsumerInfo): boolean => (config.inactive_threshold ?? 0) > 0;
