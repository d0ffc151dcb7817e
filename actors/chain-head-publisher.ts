import type { Long } from '../contracts/scalars.js';
import type { OutboundMessage, Publisher } from '../contracts/transport.js';
import type { TransportPublishFilter } from '../contracts/transport-filter.js';
import { chainHeadType } from '../runtime/audit/chain.js';
import type { DatedHead } from '../runtime/trust/published-head.js';
import { log } from '../runtime/logging/log.js';
import { signHead } from '../runtime/trust/signed-head.js';
import type { StoreKey } from '../runtime/trust/store-key.js';
import { transientMessage, type MessageSource } from './transient-message.js';

export interface ChainHeadPorts extends Pick<MessageSource, 'host'> {
  readonly transport: Pick<Publisher, 'publish'>;
  readonly filter: Pick<TransportPublishFilter, 'shouldPublishToTransport'>;
  /** How many records our relay has published; undefined while another host's relay is active. */
  readonly publishedCount: () => number | undefined;
  /** The head of the published part of our chain. */
  readonly head: () => Promise<DatedHead | undefined>;
  /** Signs the head, so that receivers can hold the store to it. */
  readonly key: StoreKey;
}

interface ChainHeadSettings {
  /** How often to check for a new head; also the shortest time between two messages. */
  readonly pollMs: number;
  /** How often to resend an unchanged head to stores that missed it. */
  readonly repeatMs: number;
}

const defaults: ChainHeadSettings = { pollMs: 1_000, repeatMs: 30_000 };

/** Publishes the head of our chain, so that other stores notice missing records even when no later record follows. */
export function startChainHeadPublisher(
  ports: ChainHeadPorts,
  { pollMs: lookMs, repeatMs }: ChainHeadSettings = defaults,
): { stop(): void } {
  let published: number | undefined;
  let sent = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  const poll = async (): Promise<void> => {
    const now = ports.publishedCount();
    const isDue = performance.now() - sentAt >= repeatMs;
    if (now === undefined || (now === published && !isDue)) return;
    const sample = messageOf({}, 1, ports);
    if (!ports.filter.shouldPublishToTransport(sample.envelope)) return;
    const head = await ports.head();
    if (head !== undefined && (head.position !== sent || isDue)) {
      await ports.transport.publish(messageOf(signHead(head, ports.key), head.position, ports));
      sent = head.position;
    }
    sentAt = performance.now();
    published = now;
  };
  const timer = setInterval(() => {
    // The next poll retries.
    poll().catch((err: unknown) => log.debug({ err }, 'the chain head could not be published'));
  }, lookMs);
  return { stop: () => clearInterval(timer) };
}

const messageOf = (head: object, position: Long, { host, key }: ChainHeadPorts): OutboundMessage =>
  transientMessage(chainHeadType, head, { host, store: key.storeId }, position);
