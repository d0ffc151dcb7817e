import { Problem } from '../contracts/problems.js';
import type { SystemEventOptions } from '../contracts/system-event-options.js';
import { AuditingEventStore, isUnitStore } from '../runtime/audit/auditing-event-store.js';
import { NoOpSystemEventEmitter } from '../runtime/service/no-op-emitter.js';
import type { Addition, ServiceParts } from '../runtime/service/service.js';
import { SystemEventTransportFilter } from '../runtime/transport/system-event-filter.js';
import { CommandAuditBehavior } from './commands/command-audit-behavior.js';
import { SystemEventEmitterActor } from './system-event-emitter.js';

export type Configure = (options: SystemEventOptions) => unknown;

/**
 * Stores system events; with event audit enabled, also decorates the event store.
 *
 * @example
 * ```ts
 * const service = addService().with(postgresEventStore({ url }));
 * service.with(addSystemEvents((options) => options.enableErrorEvents()));
 * ```
 */
export const addSystemEvents =
  (configure: Configure = () => undefined): Addition =>
  (parts) => {
    const undo = parts.options.checkpoint();
    try {
      configure(parts.options);
      if (parts.options.eventAuditEnabled) decorate(parts, 'addSystemEvents');
    } catch (error) {
      undo();
      throw error;
    }
    parts.transportFilter = new SystemEventTransportFilter(parts.options);
    parts.systemEventsRegistered = true;
    if (parts.emitter instanceof NoOpSystemEventEmitter) {
      const emitter = realEmitter(parts);
      parts.emitter = emitter;
      parts.stops.push(() => emitter.stop());
    }
  };

/**
 * Does everything that addSystemEvents does, and audits commands.
 *
 * @example
 * ```ts
 * const service = addService().with(postgresEventStore({ url }));
 * service.with(addSystemEventAuditing((options) => options.enableAudit()));
 * ```
 */
export const addSystemEventAuditing =
  (configure?: Configure): Addition =>
  (parts) => {
    addSystemEvents(configure)(parts);
    if (parts.behaviors.some((behavior) => behavior.auditsCommands === true)) return;
    parts.behaviors.push(new CommandAuditBehavior(parts.emitter, parts.options));
  };

/**
 * Decorates the registered event store; a second call changes nothing.
 *
 * @example
 * ```ts
 * const service = addService().with(eventStore(myStore)).with(addSystemEvents((options) => options.enableEventAudit()));
 * service.with(decorateEventStoreWithAuditing());
 * ```
 */
export const decorateEventStoreWithAuditing = (): Addition => (parts) => {
  decorate(parts, 'decorateEventStoreWithAuditing');
};

function decorate(parts: ServiceParts, caller: string): void {
  const { eventStore } = parts;
  if (eventStore === undefined) {
    throw new Problem('invalid-setup', {
      detail: `${caller} decorates the event store, and none is registered yet; call with(postgresEventStore({ url })) before it.`,
    });
  }
  if (parts.auditing.coversAppends) return;
  if (!isUnitStore(eventStore)) {
    throw new Problem('invalid-setup', {
      detail: `${caller} needs an event store that commits an audit together with its event; register one with postgresEventStore({ url }).`,
    });
  }
  const committed = parts.hooks.committed.bind(parts.hooks);
  const { options, auditing } = parts;
  parts.eventStore = new AuditingEventStore(eventStore, sameUnit, options, auditing, committed);
}

/** A store that commits units has nothing to queue: the audit is part of the unit. */
const sameUnit = { queue: () => undefined };

function realEmitter(parts: ServiceParts): SystemEventEmitterActor {
  return new SystemEventEmitterActor({
    options: parts.options,
    auditing: parts.auditing,
    store: () => {
      if (parts.unitStore !== undefined) return parts.unitStore;
      throw new Problem('invalid-setup', {
        detail: 'No event store is registered; add one first: service.with(postgresEventStore({ url })).',
      });
    },
    committed: (records) => parts.hooks.committed(records),
  });
}
