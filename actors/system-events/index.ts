// The events that the runtime records about itself, and what records and verifies them.

export { AuditEvent, AuditLevel, AuditMode, AuditTopic } from '../../contracts/audit.js';
export type { DeferredOutbox } from '../../contracts/deferred-outbox.js';
export * from '../../contracts/events/access.js';
export * from '../../contracts/events/audited.js';
export * from '../../contracts/events/deployment.js';
export * from '../../contracts/events/effect.js';
export * from '../../contracts/events/error.js';
export * from '../../contracts/events/events-imported.js';
export * from '../../contracts/events/flag.js';
export * from '../../contracts/events/migration.js';
export * from '../../contracts/events/operator.js';
export * from '../../contracts/events/perspective.js';
export * from '../../contracts/events/process.js';
export * from '../../contracts/events/segment-sealed.js';
export * from '../../contracts/events/store-key-rotated.js';
export * from '../../contracts/events/store-trusted.js';
export * from '../../contracts/events/store-went-back.js';
export * from '../../contracts/events/subject.js';
export { SystemEvent } from '../../contracts/message.js';
export { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../../contracts/migration.js';
export type { SystemEventEmitter } from '../../contracts/system-event-emitter.js';
export { SystemEventOptions } from '../../contracts/system-event-options.js';
export { SystemEventStreams } from '../../contracts/system-stream.js';
export { AuditingEventStore } from '../../runtime/audit/auditing-event-store.js';
export { verifyChain } from '../../runtime/audit/verify-chain.js';
export { NoOpSystemEventEmitter } from '../../runtime/service/no-op-emitter.js';
export { SystemEventTransportFilter } from '../../runtime/transport/system-event-filter.js';
export {
  addSystemEventAuditing,
  addSystemEvents,
  decorateEventStoreWithAuditing,
} from '../add-system-events-and-auditing.js';
export { CommandAuditBehavior } from '../commands/command-audit-behavior.js';
export { SystemEventEmitterActor } from '../system-event-emitter.js';
