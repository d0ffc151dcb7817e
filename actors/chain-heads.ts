import type { OutboundMessage, Publisher } from '../contracts/transport.js';
import type { TransportPublishFilter } from '../contracts/transport-filter.js';
import { SystemEventStreams } from '../contracts/system-stream.js';
import { newUuid } from '../contracts/uuid.js';
import { type ChainHead, chainHeadType } from '../runtime/audit/chain.js';
import { log } from '../runtime/log.js';
import { destinationOf } from '../runtime/transport/subjects.js';

export interface ChainHeadPorts {
  readonly transport: Publisher;
  readonly filter: Pick<TransportPublishFilter, 'shouldPublishToTransport'>;
  /** How much our relay has published so far; undefined while another host's relay is active. */
  readonly published: () => number | undefined;
  /** The head of what has been published of our chain. */
  readonly head: () => Promise<ChainHead | undefined>;
  readonly host: string;
  readonly store: string;
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

function messageOf(head: ChainHead, { host, store }: ChainHeadPorts): OutboundMessage {
  const now = new Date().toISOString();
  const envelope = {
    messageId: newUuid(),
    messageType: chainHeadType,
    payload: head,
    streamId: SystemEventStreams.streamId,
    streamPosition: head.position,
    globalPosition: 0,
    timestamp: now,
    occurredAt: now,
    recordedAt: now,
    host,
    store,
    v: 1,
  };
  return { id: envelope.messageId, destination: destinationOf(envelope), envelope };
}
