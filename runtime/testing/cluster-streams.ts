import { connect, type JetStreamManager } from 'nats';
import * as assert from 'uvu/assert';
import { type Transport } from '../../contracts/transport.js';
import { type NatsCluster } from './nats-cluster.js';
import { aMessage, failureOf } from '../kit/transport-contract.js';
import { durationOf, until } from '../kit/until.js';

export const faultsOf = ({ faults = [] }: Transport): string => faults.join(' ');

/** Like the relay: in order, with retries. Returns the longest time that one took, in milliseconds. */
export async function publishAll(transport: Transport, type: string, count: number): Promise<number> {
  let longest = 0;
  for (let n = 1; n <= count; n++) {
    const isPublished = async () => (await failureOf(transport.publish(aMessage(type, n)))) === undefined;
    longest = Math.max(longest, await durationOf(until(isPublished)));
  }
  return longest;
}

/** Retried: a cluster that has just started has no leader for a moment. */
export async function managing<T>(
  { url }: NatsCluster,
  body: (manager: JetStreamManager) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  await until(async () => {
    const connection = await connect({ servers: url.replace('nats://', '').split(',') }).catch(
      () => undefined,
    );
    result = await connection
      ?.jetstreamManager()
      .then(async (manager) => ({ value: await body(manager) }))
      .catch(() => undefined);
    await connection?.close();
    return result !== undefined;
  });
  return (result as unknown as { readonly value: T }).value;
}

export const leaderOf = (cluster: NatsCluster, stream: string): Promise<string> =>
  managing(cluster, async ({ streams }) => {
    const { cluster: placed } = await streams.info(stream);
    assert.ok(placed?.leader);
    return placed.leader;
  });
