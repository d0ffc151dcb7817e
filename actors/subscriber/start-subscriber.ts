import { createHash } from 'node:crypto';
import { AuditTopic } from '../../contracts/audit.js';
import { type MessageType, SystemEvent, typeNameOf } from '../../contracts/message.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import type { Subscription } from '../../contracts/transport.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import type { InboundFilter } from '../../runtime/inbox/classify-message.js';
import { type FollowerLeases, startFollower } from '../follow/followers.js';
import {
  type SubscribedSubjects,
  type SubscriberPorts,
  SubscriberSession,
  type SubscriberStatus,
} from './subscriber-session.js';
import { ClockSkew } from './clock-skew.js';
import { zeroCounts, type SubscriberCounts } from './subscriber-counts.js';

export interface SubscriberOptions {
  /** Our own store. */
  readonly store: Uuid;
  /** The types that this service subscribes to; system types are read from our own store only. */
  readonly types: readonly MessageType[];
  /** `system`: also the system messages of every broadcasting store, for the central monitor. */
  readonly receive?: 'domain' | 'system';
}

/** A running subscriber; of all subscribers that share a store, one is active. */
export interface Subscriber {
  readonly counts: Readonly<SubscriberCounts>;
  /** A state of its follower, or `stopped`. */
  readonly state: string;
  /** Whether it is the active one. */
  readonly holdsLease: boolean;
  /** Empty while another subscriber is active; all down while the broker cannot be reached. */
  readonly subscriptions: readonly Pick<Subscription, 'name' | 'isUp' | 'losses'>[];
  /** Too many dead letters wait for a decision: nothing behind the next one is received. */
  readonly isFull: boolean;
  readonly clocks: Pick<ClockSkew, 'furthest'>;
  /** Waits for the current batch and releases the lease. */
  stop(): Promise<void>;
}

/** A link that is silent for 2 to 3 s counts as down. */
const sessionDefaults = { unreachableMs: 800 };

const settingsOfFollower = { restMs: 10, firstBackoffMs: 100, maxBackoffMs: 2_000 };

interface StartedSubscriberPorts extends SubscriberPorts, Pick<InboundFilter, 'audit'> {
  readonly filter: TransportPublishFilter;
  readonly leases: FollowerLeases & Pick<HostLeases, 'length'>;
}

/** A follower of the broker: it runs until another host receives, or the broker is out of reach. */
export function startSubscriber(
  { leases, ...ports }: StartedSubscriberPorts,
  options: SubscriberOptions,
  settings: Partial<typeof sessionDefaults> = {},
  crashed?: (error: unknown) => void,
): Subscriber {
  const counts = zeroCounts();
  const status: SubscriberStatus = { subscriptions: [], counts, isFull: false, clocks: new ClockSkew() };
  const subjects = subjectsFor(options, ports.filter);
  const { filter, audit, transport } = ports;
  const inbound = { store: options.store, types: new Set(domainTypes(options)), filter, audit };
  const full = { ...sessionDefaults, ...settings, leaseLength: leases.length };
  const { follower, stop } = startFollower(
    {
      kind: 'subscriber',
      name: 'inbox',
      lease: 'inbox',
      probe: () => transport.ping(),
      run: (signal) => new SubscriberSession(ports, inbound, subjects, full, status, signal).run(),
      // Each session begins with what the store knows.
      forget: () => void (status.subscriptions = []),
    },
    leases,
    settingsOfFollower,
    crashed,
  );
  const down = subjects.map(({ name }) => ({ name, isUp: false }));
  return {
    counts,
    clocks: status.clocks,
    get state() {
      return follower.state;
    },
    get holdsLease() {
      return follower.holdsLease;
    },
    get subscriptions() {
      return follower.isOutOfReach ? down : status.subscriptions;
    },
    get isFull() {
      return status.isFull;
    },
    stop,
  };
}

/** Empty when the service subscribes to nothing; without system subjects when the filter lets none in. */
export function subjectsFor(
  options: SubscriberOptions,
  filter: Pick<TransportPublishFilter, 'shouldReceiveFromTransport'>,
): SubscribedSubjects[] {
  const types = domainTypes(options);
  const subjects: SubscribedSubjects[] = [];
  if (types.length > 0) {
    // Another set of types gets another name: its consumer starts at the beginning, and the inbox skips what is
    // stored already.
    const name = `svc-${options.store}-events-${fingerprint(types)}`;
    subjects.push({ name, stream: 'events', subjects: types.map((type) => `svc.events.${type}`) });
  }
  if (options.receive === 'system' && filter.shouldReceiveFromTransport(SystemEvent))
    subjects.push({
      name: `svc-${options.store}-system`,
      stream: 'system',
      subjects: ['svc.system.>', AuditTopic],
    });
  return subjects;
}

const domainTypes = ({ types }: SubscriberOptions): string[] =>
  [...new Set(types.filter((type) => !isSystemMessage(type)).map(typeNameOf))].toSorted();

const fingerprint = (types: readonly string[]): string =>
  createHash('sha256').update(types.join('\n')).digest('hex').slice(0, 8);
