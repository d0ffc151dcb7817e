import { connect, consumerOpts, nanos, type NatsConnection } from 'nats';
import { until } from '../kit/until.js';

/** A message that the broker keeps. */
export interface PublishedMessage {
  readonly sequence: number;
  readonly id: string;
  /** When the broker stored it, in milliseconds. */
  readonly at: number;
}

const stream = 'SVC_EVENTS';

/** What the stream of events holds, without the content. */
export async function readPublished(url: string): Promise<readonly PublishedMessage[]> {
  let read: readonly PublishedMessage[] | undefined;
  // A cluster that lost its leader answers when it has another one.
  await until(async () => {
    read = await onBroker(url, readAll).catch(() => undefined);
    return read !== undefined;
  });
  return read ?? [];
}

/** Creates the stream of events as an operator may: so long the broker drops what is published again. */
export const createStream = (url: string, duplicateWindowMs: number): Promise<unknown> =>
  onBroker(url, async (connection) => {
    const manager = await connection.jetstreamManager();
    const subjects = ['svc.events.>'];
    return manager.streams.add({ name: stream, subjects, duplicate_window: nanos(duplicateWindowMs) });
  });

export const streamLeader = async (url: string): Promise<string> => {
  let leader: string | undefined;
  await until(async () => {
    const info = await onBroker(url, async (connection) =>
      (await connection.jetstreamManager()).streams.info(stream),
    ).catch(() => undefined);
    leader = info?.cluster?.leader;
    return leader !== undefined && leader !== '';
  });
  return leader ?? '';
};

async function onBroker<T>(url: string, body: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: url.replace('nats://', '').split(','), timeout: 10_000 });
  try {
    return await body(connection);
  } finally {
    await connection.close();
  }
}

async function readAll(connection: NatsConnection): Promise<readonly PublishedMessage[]> {
  const { state } = await (await connection.jetstreamManager()).streams.info(stream);
  const messages: PublishedMessage[] = [];
  if (state.messages === 0) return messages;
  const options = consumerOpts().orderedConsumer().headersOnly().deliverAll();
  const subscription = await connection.jetstream().subscribe('svc.events.>', options);
  for await (const { info, headers } of subscription) {
    const id = headers?.get('Nats-Msg-Id') ?? '';
    messages.push({ sequence: info.streamSequence, id, at: info.timestampNanos / 1_000_000 });
    if (info.streamSequence >= state.last_seq) break;
  }
  return messages;
}
