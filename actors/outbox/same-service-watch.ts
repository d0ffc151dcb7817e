import { isUuid, type Uuid } from '../../contracts/scalars.js';
import type { Publisher } from '../../contracts/transport.js';
import { log } from '../../runtime/logging/log.js';

interface SameServicePorts {
  readonly transport: Pick<Publisher, 'lastSender'>;
  /** The relay of this host publishes for the store. */
  readonly isRelaying: () => boolean;
  /** What this service publishes. */
  readonly destinations: readonly string[];
  readonly service: string;
  readonly store: Uuid;
  readonly namespace: string;
}

interface WatchSettings {
  /** How often to look whether the relay has taken its lease. */
  readonly pollMs: number;
  readonly repeatMs: number;
}

interface SameServiceWatch {
  /** What to do about another store of this service; undefined: none was seen. */
  readonly text: string | undefined;
  stop(): void;
}

const defaults: WatchSettings = { pollMs: 1_000, repeatMs: 60_000 };
/** A store that was replaced has stopped sending for longer. */
const recentMs = 2 * 60_000;
/** Each is a request to the broker. */
const maxDestinations = 10;

/** Notices that another store of the same service publishes in the same namespace, as staging beside production would. */
export function startSameServiceWatch(
  ports: SameServicePorts,
  { pollMs, repeatMs }: WatchSettings = defaults,
): SameServiceWatch {
  const destinations = ports.destinations.slice(0, maxDestinations);
  const reported = new Set<Uuid>();
  let text: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    const other = await otherStore(ports, destinations);
    text = other === undefined ? undefined : textOf(ports, other);
    if (other === undefined || text === undefined || reported.has(other)) return;
    reported.add(other);
    log.warn({ store: other, service: ports.service, namespace: ports.namespace }, text);
  };
  const timer = setInterval(() => {
    if (!ports.isRelaying()) {
      // The host that relays now reports it.
      text = undefined;
      lookedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    if (performance.now() - lookedAt < repeatMs) return;
    lookedAt = performance.now();
    look().catch((err: unknown) => log.debug({ err }, 'the last senders could not be read'));
  }, pollMs);
  return {
    get text() {
      return text;
    },
    stop: () => clearInterval(timer),
  };
}

async function otherStore(
  { transport, service, store }: SameServicePorts,
  destinations: readonly string[],
): Promise<Uuid | undefined> {
  for (const destination of destinations) {
    const last = await transport.lastSender?.(destination);
    // The headers are what any publisher wrote: another text would be shown on /health.
    if (last?.service !== service || !isUuid(last.store) || last.ageMs >= recentMs) continue;
    if (last.store !== store) return last.store;
  }
  return undefined;
}

const textOf = ({ service, namespace }: SameServicePorts, store: Uuid): string =>
  `The store ${store} also publishes as ${service} in the namespace ${namespace}; give one of the two another SVC_NAMESPACE, or its own broker.`;
