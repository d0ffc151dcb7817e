import type { Publisher } from '../contracts/transport.js';
import type { TransportPublishFilter } from '../contracts/transport-filter.js';
import { type HostStatus, hostStatusType } from '../contracts/host-status.js';
import { log } from '../runtime/logging/log.js';
import { withTimeout } from '../runtime/lang/with-timeout.js';
import { transientMessage, type MessageSource } from './transient-message.js';

interface HostStatusPorts extends MessageSource {
  readonly transport: Pick<Publisher, 'publish'>;
  readonly filter: Pick<TransportPublishFilter, 'shouldPublishToTransport'>;
  readonly status: () => Omit<HostStatus, 'state'>;
}

interface HostStatusSettings {
  /** How often to check for a change. */
  readonly pollMs: number;
  /** How often to resend an unchanged status. */
  readonly repeatMs: number;
}

const defaults: HostStatusSettings = { pollMs: 1_000, repeatMs: 10_000 };
/** A new host publishes its status after its first checks, not while they run. */
const firstAfterPolls = 3;
const lastPublishMs = 500;

/** Publishes the status of a broadcasting host: on every change, periodically without one, and at the end. */
export function startHostStatusPublisher(
  ports: HostStatusPorts,
  { pollMs: lookMs, repeatMs: everyMs }: HostStatusSettings = defaults,
): { stop(): Promise<void> } {
  let published = '';
  let polls = 0;
  let dueInPolls = firstAfterPolls;
  let sending = false;
  const publish = async (state: HostStatus['state']): Promise<void> => {
    const status = ports.status();
    const message = transientMessage(hostStatusType, { ...status, state }, ports);
    if (!ports.filter.shouldPublishToTransport(message.envelope)) return;
    await ports.transport.publish(message);
    published = summaryOf(status);
    dueInPolls = Math.ceil(everyMs / lookMs);
  };
  const poll = async (): Promise<void> => {
    dueInPolls--;
    const hasChanged = polls++ > firstAfterPolls && summaryOf(ports.status()) !== published;
    if (sending || (dueInPolls > 0 && !hasChanged)) return;
    sending = true;
    // The next poll retries.
    await publish('up').catch((err: unknown) => log.debug({ err }, 'the status could not be published'));
    sending = false;
  };
  const timer = setInterval(() => void poll(), lookMs);
  return {
    stop: async () => {
      clearInterval(timer);
      if (published !== '') await withTimeout(lastPublishMs, publish('stopped')).catch(() => undefined);
    },
  };
}

const summaryOf = ({ status, checks }: Pick<HostStatus, 'status' | 'checks'>): string =>
  JSON.stringify([status, checks.map((check) => [check.name, check.status])]);
