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

/** Tells others now and then how far our chain goes, so that they notice what they did not get. */
export function startChainHeads(ports: ChainHeadPorts, everyMs = 10_000): { stop(): void } {
  let published: number | undefined;
  let told = 0;
  const tell = async (): Promise<void> => {
    const now = ports.published();
    if (now === undefined || now === published) return;
    const sample = messageOf({ position: 1, hash: '' }, ports);
    if (!ports.filter.shouldPublishToTransport(sample.envelope)) return;
    const head = await ports.head();
    if (head !== undefined && head.position !== told) await ports.transport.publish(messageOf(head, ports));
    told = head?.position ?? told;
    published = now;
  };
  const timer = setInterval(() => {
    // It is tried again the next time.
    tell().catch((err: unknown) => log.debug({ err }, 'the head of the chain could not be told'));
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}

const messageOf = (head: ChainHead, from: Sender): OutboundMessage =>
  noticeOf(chainHeadType, head, from, head.position);
