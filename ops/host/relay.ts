import { type OutboxRelay, startOutboxRelay } from '../../actors/outbox/outbox-relay.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { Transport } from '../../contracts/transport.js';
import type { Registry } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import type { Outbox, PendingMessage } from '../../runtime/outbox/outbox.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import type { Service } from '../../runtime/service/service.js';
import type { StoreWitness } from '../../runtime/store/store-witness.js';
import { filterOnlyOwnMessages } from '../../runtime/transport/filter-only-own-messages.js';
import { keepInside } from '../../runtime/transport/keep-inside.js';
import { storeIdOf } from './database.js';

export interface HostRelayPorts {
  /** The host's name in events. */
  readonly name: string;
  readonly database: Database;
  readonly leases: HostLeases;
  readonly service: Service;
  readonly registry: Pick<Registry, 'approvals'>;
  readonly transport: Transport;
  readonly report: (message: SystemMessage) => void;
  readonly witness: Pick<StoreWitness, 'observe'>;
  /** Set: messages are signed; called once it is known which. */
  readonly beforeSigning?: (() => Promise<void>) | undefined;
}

/** A new event wakes the relay by LISTEN; if that fails, the next answer about leases does. */
const idleMs = 60_000;

/** Starts the host's relay, which publishes while no other host of the store does. Returns the current relay. */
export async function startHostRelay(
  host: HostRelayPorts,
  supervisor: Supervisor,
): Promise<() => OutboxRelay> {
  const { database, service, registry, transport, report, leases, witness, beforeSigning } = host;
  const own = filterOnlyOwnMessages(service.transportFilter, host.name);
  const filter = keepInside(own, registry.approvals?.events ?? []);
  const stored = postgresOutbox(database, leases.owner, await storeIdOf(database));
  const outbox = beforeSigning === undefined ? stored : signedOutbox(stored, beforeSigning);
  const onPublished = ({ position, id }: PendingMessage): void => witness.observe(position, id);
  const ports = { outbox, transport, filter, report, leases, onPublished };
  let current: OutboxRelay | undefined;
  const first = await supervisor.start({
    name: 'outbox-relay',
    start: (crashed) => (current = startOutboxRelay(ports, { idleMs }, crashed)),
  });
  return () => current ?? first;
}

/** After a position was read, every key that was replaced before it can be seen. */
const signedOutbox = (outbox: Outbox, beforeSigning: () => Promise<void>): Outbox => ({
  ...outbox,
  page: async (from, to) => {
    const page = await outbox.page(from, to);
    if (page.length > 0) await beforeSigning();
    return page;
  },
  pendingReplays: async () => {
    const replays = await outbox.pendingReplays();
    if (replays.length > 0) await beforeSigning();
    return replays;
  },
});
