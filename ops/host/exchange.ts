import { type ChainHeadPorts, startChainHeads } from '../../actors/chain-heads.js';
import type { OutboxRelay } from '../../actors/outbox/outbox-relay.js';
import type { ReceptionPorts } from '../../actors/subscriber/reception.js';
import type { Subscriber } from '../../actors/subscriber/subscriber.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { Transport } from '../../contracts/transport.js';
import type { Registry, ServiceDefinition } from '../../endpoints/registry.js';
import { publishedHead } from '../../runtime/audit/published-head.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import type { Service } from '../../runtime/service/service.js';
import type { Config } from '../config.js';
import { nobody, receiveFromOthers } from './inbox.js';
import { storeIdOf } from './database.js';
import { type HostOutbox, relayOutbox, transportFor } from './outbox.js';

interface Exchanging {
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly service: Service;
  readonly definition: ServiceDefinition;
  readonly registry: Registry;
  readonly report: (message: SystemMessage) => void;
  readonly heard?: ReceptionPorts['heard'];
}

interface Exchange {
  readonly transport: Transport;
  readonly relay: () => OutboxRelay;
  /** Undefined where nothing of others is wanted. */
  readonly subscriber: () => Subscriber | undefined;
}

/** Messages go out and come in; without a broker, over a transport that only this host knows, none can come. */
export async function exchange(
  { definition, registry, ...host }: Exchanging,
  config: Config,
  supervisor: Supervisor,
  given?: Transport,
): Promise<Exchange> {
  const open = () => given ?? transportFor(config);
  const transport = await supervisor.keep('transport', open, (opened) => opened.close());
  const ports = { ...host, name: config.name, transport };
  const relay = await relayOutbox(ports, supervisor);
  await supervisor.keep('chain-heads', async () => startChainHeads(await headPorts(ports, relay)), stop);
  const isAlone = given === undefined && config.natsUrl === undefined;
  const subscriber = isAlone ? nobody : await receiveFromOthers(ports, definition, registry, supervisor);
  return { transport, relay, subscriber };
}

const stop = (started: { stop(): void }): void => started.stop();

const activeStates = ['relaying', 'resting', 'idle'];

const headPorts = async (
  { database, service, transport, name }: HostOutbox,
  relay: () => OutboxRelay,
): Promise<ChainHeadPorts> => ({
  transport,
  filter: service.transportFilter,
  published: () => (activeStates.includes(relay().state) ? relay().counts.published : undefined),
  head: () => publishedHead(database),
  host: name,
  store: await storeIdOf(database),
});
