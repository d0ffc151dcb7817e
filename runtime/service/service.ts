import type { SystemEventEmitter } from '../../contracts/system-event-emitter.js';
import type { EventStore } from '../../contracts/event-store.js';
import type { HealthCheck, HealthPaths } from '../../contracts/health.js';
import { Problem } from '../../contracts/problems.js';
import type { Behavior } from '../../contracts/receptor.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { Long } from '../../contracts/scalars.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { Auditing } from '../audit/auditing.js';
import { type SystemEventHook, SystemEventHooks } from '../audit/system-event-hooks.js';
import type { StoreConnection } from './store-connection.js';
import { NoOpSystemEventEmitter } from './no-op-emitter.js';
import type { HostLeases } from '../leases/host-leases.js';
import type { LogTail } from '../log/log-tail.js';
import type {
  PerspectiveState,
  RebuildOptions,
  Rebuilt,
  ServicePerspectives,
} from '../perspectives/service-perspectives.js';
import type { SettlingReactions } from '../reactions/until-settled.js';
import { SystemEventTransportFilter } from '../transport/system-event-filter.js';

/** The parts of a service that additions change. */
export interface ServiceParts {
  eventStore: EventStore | undefined;
  /** The store that commits units, without its decorators. */
  unitStore: UnitStore | undefined;
  /** The database of the store, if there is one. */
  connection: (() => Promise<StoreConnection>) | undefined;
  /** Set by addServicePerspectives. */
  perspectives: ServicePerspectives | undefined;
  /** Reads the log once for all perspectives and reactions. */
  logTail: LogTail | undefined;
  /** Whether a perspective or a reaction that changes an event fails, as in development. */
  freezesEvents: boolean;
  leases: HostLeases | undefined;
  /** Set by addReactions. */
  reactions: SettlingReactions | undefined;
  emitter: SystemEventEmitter;
  transportFilter: TransportPublishFilter;
  /** Outermost first. */
  readonly behaviors: Behavior[];
  readonly options: SystemEventOptions;
  readonly policy: AuditPolicy;
  readonly auditing: Auditing;
  readonly hooks: SystemEventHooks;
  readonly health: { readonly checks: HealthCheck[]; paths: HealthPaths };
  /** Releases resources, in the order they were acquired. */
  readonly stops: (() => void | Promise<void>)[];
  /** Set by addSystemEvents; until then no system message is stored. */
  systemEventsRegistered: boolean;
}

/**
 * Adds something to a service: `service.with(addition)`.
 *
 * @example
 * ```ts
 * const timing: Addition = ({ behaviors }) => void behaviors.push(timed);
 * addService().with(postgresEventStore({ url })).with(timing);
 * ```
 */
export type Addition = (parts: ServiceParts) => void;

/**
 * A service composed of additions.
 *
 * @example
 * ```ts
 * configure: (service: Service) => {
 *   service.onSystemEvent('CommandFailed', alert);
 * },
 * ```
 */
export class Service {
  readonly parts: ServiceParts;

  constructor() {
    const options = new SystemEventOptions();
    const policy = new AuditPolicy(options);
    this.parts = {
      eventStore: undefined,
      unitStore: undefined,
      connection: undefined,
      perspectives: undefined,
      logTail: undefined,
      freezesEvents: false,
      leases: undefined,
      reactions: undefined,
      emitter: new NoOpSystemEventEmitter(),
      transportFilter: new SystemEventTransportFilter(options),
      behaviors: [],
      options,
      policy,
      auditing: new Auditing(options, policy),
      hooks: new SystemEventHooks(),
      health: {
        checks: [],
        paths: { live: '/health/live', ready: '/health/ready', details: '/health' },
      },
      stops: [],
      systemEventsRegistered: false,
    };
  }

  with(addition: Addition): this {
    addition(this.parts);
    const { eventStore, auditing } = this.parts;
    // Includes a store that an addition decorated itself.
    if (eventStore?.auditsAppends === true) auditing.coverAppends();
    return this;
  }

  get eventStore(): EventStore {
    const { eventStore } = this.parts;
    if (eventStore === undefined) {
      throw new Problem('invalid-setup', {
        detail: 'No event store is registered; add one first: service.with(postgresEventStore({ url })).',
      });
    }
    return eventStore;
  }

  get emitter(): SystemEventEmitter {
    return this.parts.emitter;
  }

  get transportFilter(): TransportPublishFilter {
    return this.parts.transportFilter;
  }

  get behaviors(): readonly Behavior[] {
    return this.parts.behaviors;
  }

  get options(): SystemEventOptions {
    return this.parts.options;
  }

  /** The state of each perspective; empty without addServicePerspectives. */
  get perspectives(): readonly PerspectiveState[] {
    return this.parts.perspectives?.list() ?? [];
  }

  /** Resolves when the perspective has processed the position, whichever host runs it: read your own writes. */
  async caughtUp(name: string, position: Long, signal?: AbortSignal): Promise<void> {
    await this.#registered().caughtUp(name, position, signal);
  }

  /**
   * Resolves when all reactions and processes have handled the events up to a position, whichever hosts run them. The
   * events that they cause have later positions. A parked key counts as handled.
   */
  async settled(position: Long, signal?: AbortSignal): Promise<void> {
    await this.parts.reactions?.settled(position, signal);
  }

  /** Rebuilds the model of a perspective; resolves when readers see it. */
  rebuild(name: string, options: RebuildOptions): Promise<Rebuilt> {
    return this.#registered().rebuild(name, options);
  }

  #registered(): ServicePerspectives {
    const { perspectives } = this.parts;
    if (perspectives !== undefined) return perspectives;
    throw new Problem('invalid-setup', {
      detail:
        'No perspectives are registered; add them first: service.with(addServicePerspectives(registry)).',
    });
  }

  /** Releases everything, in reverse order. */
  async stop(): Promise<void> {
    for (const stop of this.parts.stops.splice(0).reverse()) await stop();
  }

  onSystemEvent(tag: string, hook: SystemEventHook): this {
    this.parts.hooks.on(tag, hook);
    return this;
  }
}

/**
 * A service with the no-op emitter, so that injecting the emitter is always safe; an existing service is returned unchanged.
 *
 * @example
 * ```ts
 * const service = addService().with(postgresEventStore({ url }));
 * await service.eventStore.append(orderId, [envelope]);
 * ```
 */
export const addService = (service: Service = new Service()): Service => service;
