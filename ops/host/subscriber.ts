import type { BatchReceiverPorts } from '../../actors/subscriber/batch-receiver.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import { startSubscriber, subjectsFor, type Subscriber } from '../../actors/subscriber/start-subscriber.js';
import { eventsOf } from '../../actors/processes/process-work.js';
import { takesOthers } from '../../contracts/event-origin.js';
import type { MessageType } from '../../contracts/message.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StoreTrust } from '../../contracts/store-trust.js';
import type { Transport } from '../../contracts/transport.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { auditReceivedEvents } from '../../runtime/inbox/audit-received-event.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { refusingInbox } from '../../runtime/inbox/refusing-inbox.js';
import type { Service } from '../../runtime/service/service.js';
import type { StoreWitness } from '../../runtime/store/store-witness.js';
import { storeIdOf } from './database.js';

interface HostSubscriberPorts {
  readonly database: Database;
  readonly leases: HostLeases;
  readonly service: Service;
  readonly transport: Transport;
  readonly report: (message: SystemMessage) => void;
  readonly witness: Pick<StoreWitness, 'mustAcceptWrites'>;
  readonly onStatus?: BatchReceiverPorts['onStatus'];
  /** Of the host. */
  readonly name: string;
  readonly trust: StoreTrust;
}

/** Starts the host's subscriber, if the host receives anything. Returns the current subscriber. */
export async function startHostSubscriber(
  { database, leases, service, transport, report, onStatus, name, witness, trust }: HostSubscriberPorts,
  { receive = 'domain' }: ServiceDefinition,
  registry: Registry,
  supervisor: Supervisor,
): Promise<() => Subscriber | undefined> {
  const options = { store: await storeIdOf(database), receive, types: subscribedTypes(registry) };
  if (subjectsFor(options, service.transportFilter).length === 0) return noSubscriber;
  const inbox = refusingInbox(postgresInbox(database, leases.owner, name), () => witness.mustAcceptWrites());
  const audit = auditReceivedEvents(service.parts.auditing);
  const sending = { transport, filter: service.transportFilter, report, onStatus, leases };
  const ports = { inbox, audit, trust, host: name, ...sending };
  let subscriber: Subscriber | undefined;
  await supervisor.start({
    name: 'subscriber',
    start: (crashed) => (subscriber = startSubscriber(ports, options, {}, crashed)),
  });
  return () => subscriber;
}

/** The types of which some class takes the events of other stores. */
const subscribedTypes = ({
  perspectives = [],
  reactions = [],
  processes = [],
  receptors,
}: Registry): readonly MessageType[] => [
  ...perspectives.filter(takesOthers).flatMap(({ events }) => events),
  ...reactions.filter(takesOthers).flatMap(({ events }) => events),
  ...processes.filter(takesOthers).flatMap(eventsOf),
  ...receptors.flatMap(({ receptor }) => receptor.events ?? []),
];

export const noSubscriber = (): undefined => undefined;
