import { type ChainHeadPorts, startChainHeadPublisher } from '../../actors/chain-head-publisher.js';
import type { OutboxRelay } from '../../actors/outbox/outbox-relay.js';
import { startSameServiceWatch } from '../../actors/outbox/same-service-watch.js';
import type { BatchReceiverPorts } from '../../actors/subscriber/batch-receiver.js';
import type { Subscriber } from '../../actors/subscriber/start-subscriber.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import { typeNameOf } from '../../contracts/message.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { Transport } from '../../contracts/transport.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { publishedHead } from '../../runtime/trust/published-head.js';
import type { Database } from '../../runtime/database/database.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import type { Service } from '../../runtime/service/service.js';
import type { StoreWitness } from '../../runtime/store/store-witness.js';
import { mustHaveNamespace } from '../../runtime/store/store-namespace.js';
import { messageSigner } from '../../runtime/trust/signed-message.js';
import { type FollowedStoreKey, followStoreKey } from '../../runtime/trust/store-key.js';
import type { NatsOptions } from '../../runtime/transport/nats-link.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import type { Config } from '../config/config.js';
import { noSubscriber, startHostSubscriber } from './subscriber.js';
import { type HostRelayPorts, startHostRelay } from './relay.js';

interface MessagingPorts {
  readonly database: Database;
  readonly leases: HostLeases;
  readonly service: Service;
  readonly definition: ServiceDefinition;
  readonly registry: Registry;
  readonly report: (message: SystemMessage) => void;
  readonly witness: StoreWitness;
  readonly onStatus?: BatchReceiverPorts['onStatus'];
}

interface Messaging {
  readonly transport: Transport;
  readonly relay: () => OutboxRelay;
  /** Undefined if the host receives nothing. */
  readonly subscriber: () => Subscriber | undefined;
  /** What to do about another store of this service on the broker; without a broker there is no such question. */
  readonly sameService?: (() => string | undefined) | undefined;
}

/** Publishes and receives messages; without a broker the transport is local to this host, and none can arrive. */
export async function startMessaging(
  { definition, registry, ...host }: MessagingPorts,
  config: Config,
  supervisor: Supervisor,
  givenTransport?: Transport,
): Promise<Messaging> {
  // A host that signs with another key than its store would not be trusted: it does not start.
  const key = await followStoreKey(host.database, config);
  await mustHaveNamespace(host.database, config);
  const open = () =>
    givenTransport ??
    configuredTransport(config, {
      service: definition.name,
      sign: config.signMessages ? messageSigner(key) : undefined,
    });
  const transport = await supervisor.keep('transport', open, (opened) => opened.close());
  const beforeSigning = config.signMessages ? key.refresh : undefined;
  const ports = { ...host, registry, name: config.name, transport, key, beforeSigning };
  const relay = await startHostRelay(ports, supervisor);
  await supervisor.keep('chain-heads', () => startChainHeadPublisher(chainHeadPorts(ports, relay)), stop);
  if (givenTransport === undefined && config.natsUrl === undefined)
    return { transport, relay, subscriber: noSubscriber };
  const trusting = { ...ports, trust: config.storeTrust };
  const subscriber = await startHostSubscriber(trusting, definition, registry, supervisor);
  const watching = {
    transport,
    store: key.storeId,
    service: definition.name,
    namespace: config.namespace,
    isRelaying: () => relay().holdsLease,
    destinations: (registry.events ?? []).map((type) => `svc.events.${typeNameOf(type)}`),
  };
  const watch = await supervisor.keep('same-service', () => startSameServiceWatch(watching), stop);
  return { transport, relay, subscriber, sameService: () => watch.text };
}

/** Without a broker, messages stay in the process, and its client is not loaded. */
export async function configuredTransport(
  { natsUrl, natsCredentials: credentials, messageFormat: format, name, namespace }: Config,
  sending: Pick<NatsOptions, 'service' | 'sign'> = {},
): Promise<Transport> {
  if (natsUrl === undefined) return new InProcessTransport();
  const { natsTransport } = await import('../../runtime/transport/nats-transport.js');
  return natsTransport({ url: natsUrl, name, credentials, format, namespace, ...sending });
}

const stop = (started: { stop(): void }): void => started.stop();

const chainHeadPorts = (
  { database, service, transport, name, key }: HostRelayPorts & { readonly key: FollowedStoreKey },
  relay: () => OutboxRelay,
): ChainHeadPorts => ({
  transport,
  filter: service.transportFilter,
  publishedCount: () => (relay().holdsLease ? relay().counts.published : undefined),
  head: async () => {
    const head = await publishedHead(database);
    await key.refresh();
    return head;
  },
  host: name,
  key,
});
