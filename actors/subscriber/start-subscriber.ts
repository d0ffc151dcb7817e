import { createHash } from 'node:crypto';
import { createActor } from 'xstate';
import { AuditTopic } from '../../contracts/audit.js';
import { type MessageType, SystemEvent, typeNameOf } from '../../contracts/message.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import type { Subscription } from '../../contracts/transport.js';
import type { InboundFilter } from '../../runtime/inbox/classify-message.js';
import { startStoppable } from '../supervisor/start-stoppable-actor.js';
import type {
  SubscriberStatus,
  SessionSettings,
  SubscribedSubjects,
  SubscriberPorts,
} from './subscriber-session.js';
import { ClockSkew } from './clock-skew.js';
import { zeroCounts, type SubscriberCounts } from './subscriber-counts.js';
import { subscriberDefaults, subscriberMachine } from './subscriber-machine.js';

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
  /**
   * `probing`, `outOfReach`, `receiving`, `steppingDown`, `withoutLease`, `backingOff`, `releasing`
   * or `stopped`.
   */
  readonly state: string;
  /** Empty while another subscriber is active; all down while the broker cannot be reached. */
  readonly subscriptions: readonly Pick<Subscription, 'name' | 'isUp' | 'losses'>[];
  /** Too many dead letters wait for a decision: nothing behind the next one is received. */
  readonly isFull: boolean;
  /** Why the lease could not be renewed, until it is. */
  readonly leaseFailure?: string | undefined;
  readonly clocks: Pick<ClockSkew, 'furthest'>;
  /** Waits for the current batch and releases the lease. */
  stop(): Promise<void>;
}

export function startSubscriber(
  ports: SubscriberPorts & Pick<InboundFilter, 'audit'> & { readonly filter: TransportPublishFilter },
  options: SubscriberOptions,
  settings: Partial<SessionSettings> = {},
  crashed?: (error: unknown) => void,
): Subscriber {
  const counts = zeroCounts();
  const status: SubscriberStatus = { subscriptions: [], counts, isFull: false, clocks: new ClockSkew() };
  const actor = createActor(subscriberMachine, {
    input: {
      ports,
      filter: {
        store: options.store,
        types: new Set(domainTypes(options)),
        filter: ports.filter,
        audit: ports.audit,
      },
      subjects: subjectsFor(options, ports.filter),
      settings: { ...subscriberDefaults, ...settings },
      status: status,
    },
  });
  const stop = startStoppable(actor, crashed);
  return {
    counts,
    get state() {
      return actor.getSnapshot().value;
    },
    get subscriptions() {
      return status.subscriptions;
    },
    clocks: status.clocks,
    get leaseFailure() {
      return status.leaseFailure;
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
