import type { NatsConnection } from 'nats';
import type { LastSender } from '../../contracts/transport.js';
import type { NatsNames } from './nats-names.js';
import { managerOf, whenFound } from './nats-streams.js';

/** Reads the newest message to a destination. */
export async function lastSender(
  connection: NatsConnection,
  names: NatsNames,
  destination: string,
): Promise<LastSender | undefined> {
  const { streams } = await managerOf(connection);
  const stream = names.streamFor(destination);
  if (stream === undefined) return undefined;
  const found = await whenFound(streams.getMessage(stream, { last_by_subj: names.subjectOf(destination) }));
  if (found === undefined) return undefined;
  const { header, time } = found;
  const valueOf = (name: string): string | undefined => (header.has(name) ? header.get(name) : undefined);
  return {
    service: valueOf('svc-service'),
    store: valueOf('svc-store') ?? '',
    ageMs: Date.now() - time.getTime(),
  };
}
