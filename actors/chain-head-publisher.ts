import type { OutboundMessage, Publisher } from '../contracts/transport.js';
import type { TransportPublishFilter } from '../contracts/transport-filter.js';
import { type ChainHead, chainHeadType } from '../runtime/audit/chain.js';
import { log } from '../runtime/log.js';
import { transientMessage, type MessageSource } from './transient-message.js';

export interface ChainHeadPorts extends MessageSource {
  readonly transport: Pick<Publisher, 'publish'>;
  readonly filter: Pick<TransportPublishFilter, 'shouldPublishToTransport'>;
  /** How many records our relay has published; undefined while another host's relay is active. */
  readonly publishedCount: () => number | undefined;
  /** The head of the published part of our chain. */
  readonly head: () => Promise<ChainHead | undefined>;
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
    const sample = messageOf({ position: 1, hash: '' }, ports);
    if (!ports.filter.shouldPublishToTransport(sample.envelope)) return;
    const head = await ports.head();
    if (head !== undefined && (head.position !== sent || isDue)) {
      await ports.transport.publish(messageOf(head, ports));
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

const messageOf = (head: ChainHead, from: MessageSource): OutboundMessage =>
  transientMessage(chainHeadType, head, from, head.position);
