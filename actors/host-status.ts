import type { Publisher } from '../contracts/transport.js';
import type { TransportPublishFilter } from '../contracts/transport-filter.js';
import { type HostStatus, hostStatusType } from '../runtime/inbox/host-status.js';
import { log } from '../runtime/log.js';
import { within } from '../runtime/within.js';
import { noticeOf, type Sender } from './notice.js';

interface HostStatusPorts extends Sender {
  readonly transport: Pick<Publisher, 'publish'>;
  readonly filter: Pick<TransportPublishFilter, 'shouldPublishToTransport'>;
  readonly status: () => Omit<HostStatus, 'state'>;
}

interface HostStatusSettings {
  /** How often a change is looked for. */
  readonly lookMs: number;
  /** How often it is told that nothing has changed. */
  readonly everyMs: number;
}

const defaults: HostStatusSettings = { lookMs: 1_000, everyMs: 10_000 };
/** A host that just started tells what it is after its first checks, not while they run. */
const firstAfterLooks = 3;
const lastWordMs = 500;

/** While it broadcasts, a host tells how it is: at once when that changes, now and then when it does not, and when it ends. */
export function startHostStatus(
  ports: HostStatusPorts,
  { lookMs, everyMs }: HostStatusSettings = defaults,
): { stop(): Promise<void> } {
  let told = '';
  let looks = 0;
  let dueIn = firstAfterLooks;
  let sending = false;
  const tell = async (state: HostStatus['state']): Promise<void> => {
    const status = ports.status();
    const notice = noticeOf(hostStatusType, { ...status, state }, ports);
    if (!ports.filter.shouldPublishToTransport(notice.envelope)) return;
    await ports.transport.publish(notice);
    told = summaryOf(status);
    dueIn = Math.ceil(everyMs / lookMs);
  };
  const look = async (): Promise<void> => {
    dueIn--;
    const hasChanged = looks++ > firstAfterLooks && summaryOf(ports.status()) !== told;
    if (sending || (dueIn > 0 && !hasChanged)) return;
    sending = true;
    // It is tried again the next time.
    await tell('up').catch((err: unknown) => log.debug({ err }, 'the status could not be told'));
    sending = false;
  };
  const timer = setInterval(() => void look(), lookMs);
  return {
    stop: async () => {
      clearInterval(timer);
      if (told !== '') await within(lastWordMs, tell('stopped')).catch(() => undefined);
    },
  };
}

const summaryOf = ({ status, checks }: Pick<HostStatus, 'status' | 'checks'>): string =>
  JSON.stringify([status, checks.map((check) => [check.name, check.status])]);
