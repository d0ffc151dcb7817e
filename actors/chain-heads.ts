import type { OutboundMessage, Publisher } from '../contracts/transport.js';
import type { TransportPublishFilter } from '../contracts/transport-filter.js';
import { type ChainHead, chainHeadType } from '../runtime/audit/chain.js';
import { log } from '../runtime/log.js';
import { noticeOf, type Sender } from './notice.js';

export interface ChainHeadPorts extends Sender {
  readonly transport: Pick<Publisher, 'publish'>;
  readonly filter: Pick<TransportPublishFilter, 'shouldPublishToTransport'>;
  /** How much our relay has published so far; undefined while another host's relay is active. */
  readonly published: () => number | undefined;
  /** The head of what has been published of our chain. */
  readonly head: () => Promise<ChainHead | undefined>;
}

interface ChainHeadSettings {
  /** How often a new head is looked for, and at most sent. */
  readonly lookMs: number;
  /** How often a head that has not changed is sent again, for those who did not get it. */
  readonly repeatMs: number;
}

const defaults: ChainHeadSettings = { lookMs: 1_000, repeatMs: 30_000 };

/** Sends how far our chain goes, so that others notice what they did not get, also when nothing follows it. */
export function startChainHeads(
  ports: ChainHeadPorts,
  { lookMs, repeatMs }: ChainHeadSettings = defaults,
): { stop(): void } {
  let published: number | undefined;
  let sent = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    const now = ports.published();
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
    // It is tried again the next time.
    look().catch((err: unknown) => log.debug({ err }, 'the head of the chain could not be sent'));
  }, lookMs);
  return { stop: () => clearInterval(timer) };
}

const messageOf = (head: ChainHead, from: Sender): OutboundMessage =>
  noticeOf(chainHeadType, head, from, head.position);
