import { type OutboxRelay, startOutboxRelay } from '../../actors/outbox/outbox-relay.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { Transport } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import type { Service } from '../../runtime/service/service.js';
import { InProcessTransport } from '../../runtime/transport/in-process.js';
import { natsTransport } from '../../runtime/transport/nats.js';
import { ownMessagesFilter } from '../../runtime/transport/own-messages-filter.js';
import type { Config } from '../config.js';
import { storeIdOf } from './database.js';

export interface HostRelayPorts {
  /** The host's name in events. */
  readonly name: string;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly service: Service;
  readonly transport: Transport;
  readonly report: (message: SystemMessage) => void;
}

/** A new event wakes the relay by LISTEN; should that fail, the health check that sees it wait does. */
const idleMs = 10_000;

/** Without a broker messages stay in the process. */
export const createTransport = ({ natsUrl, name }: Pick<Config, 'natsUrl' | 'name'>): Transport =>
  natsUrl === undefined ? new InProcessTransport() : natsTransport({ url: natsUrl, name });

/** Brings the host's relay to life; it publishes when no other host of the store does. Gives the one that lives now. */
export async function startHostRelay(
  host: HostRelayPorts,
  supervisor: Supervisor,
): Promise<() => OutboxRelay> {
  const { database, service, transport, report, notifications } = host;
  const filter = ownMessagesFilter(service.transportFilter, host.name);
  // The same owner in every life: it need not wait for a lease that it holds itself.
  const outbox = postgresOutbox(database, newUuid(), await storeIdOf(database));
  const ports = { outbox, transport, filter, report, notifications };
  let current: OutboxRelay | undefined;
  const first = await supervisor.start({
    name: 'outbox-relay',
    start: (crashed) => (current = startOutboxRelay(ports, { idleMs }, crashed)),
  });
  return () => current ?? first;
}
