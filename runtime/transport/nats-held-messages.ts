import { AckPolicy, DeliverPolicy, nanos } from 'nats';
import { newUuid } from '../../contracts/uuid.js';
import { headersIn } from './nats-headers.js';
import { connectOnce, type NatsOptions } from './nats-link.js';
import { pullBatch } from './nats-pull.js';
import { NatsNames } from './nats-names.js';
import { managerOf, whenFound } from './nats-streams.js';

/** A message as the broker holds it. */
interface HeldMessage {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
}

/** The heads of one busy store in a week are 600,000. */
const maxMessages = 2_000_000;
const forgottenAfterMs = 60_000;

/** The messages to a destination that the broker holds, oldest first; reads them and changes nothing. */
export async function* heldMessages(
  destination: string,
  options: NatsOptions,
): AsyncGenerator<readonly HeldMessage[]> {
  const names = new NatsNames(options.namespace);
  const stream = names.streamOf([destination]);
  const connection = await connectOnce(options);
  try {
    const { consumers } = await managerOf(connection);
    const consumer = await whenFound(
      consumers.add(stream, {
        name: `read-${newUuid()}`,
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.All,
        filter_subject: names.subjectOf(destination),
        inactive_threshold: nanos(forgottenAfterMs),
        mem_storage: true,
      }),
    );
    if (consumer === undefined) return;
    const { signal } = new AbortController();
    for (let left = Math.min(consumer.num_pending, maxMessages); left > 0;) {
      const batch = await pullBatch(connection, { stream, durable: consumer.name }, signal);
      if (batch.length === 0) return;
      left -= batch.length;
      yield batch.map((message) => ({
        body: message.data,
        contentType: headersIn(message)?.get('content-type') || undefined,
      }));
    }
  } finally {
    await connection.close();
  }
}
