// What applications and generated code use. Machinery is exported by the folders: svc-runtime/runtime, …

// Messages
export { Command, type Envelope, Event, SystemEvent } from './contracts/message.js';
export { CommandEndpoint } from './contracts/command-endpoint.js';
export { Sensitive } from './contracts/sensitive.js';
export type { Decimal, Duration, Int, Json, Long, Timestamp, Uuid } from './contracts/scalars.js';
export { Decimals } from './contracts/decimals.js';
export { newUuid } from './contracts/uuid.js';
export { namedUuid } from './runtime/reactions/named-uuid.js';
export { Problem } from './contracts/problems.js';

// Commands
export type { Behavior, Dispatcher, Receptor, UnitOfWork } from './contracts/receptor.js';
export type { MutationContext } from './contracts/mutation-context.js';
export { MutationEndpointBase } from './endpoints/mutation-endpoint.js';
export { RestMutationEndpointBase } from './endpoints/rest-endpoint.js';

// When something happens
export { later, type Reaction, unschedule } from './contracts/reaction.js';
export type { Schedule } from './contracts/schedule.js';
export type { Decider } from './contracts/decider.js';
export type { Process } from './actors/processes/process.js';
export { processSetup, shape } from './actors/processes/process-setup.js';

// Events and read models
export { type EventStore, isEventOf, type StoredEvent } from './contracts/event-store.js';
export { type Upcaster, Upcasters } from './contracts/upcaster.js';
export { type Perspective, RebuildMode } from './contracts/perspective.js';

// A service
export type { ServiceDefinition } from './endpoints/service-definition.js';
export { verifyWebhook } from './endpoints/webhooks/verify-webhook.js';
export { type Addition, addService, Service } from './runtime/service/service.js';
export { postgresEventStore } from './runtime/service/add-postgres-event-store.js';
export { addUpcasters } from './runtime/service/add-upcasters.js';
export { addServicePerspectives } from './actors/perspectives/add-service-perspectives.js';
export {
  addSystemEventAuditing,
  addSystemEvents,
  decorateEventStoreWithAuditing,
} from './actors/add-system-events-and-auditing.js';
export {
  addAmqpBrokerHealthChecks,
  addHealthCheck,
  mapHealthPaths,
} from './actors/health/health-additions.js';
export type { HealthCheck } from './contracts/health.js';

// Auditing
export { AuditEvent, AuditLevel, AuditMode, AuditTopic } from './contracts/audit.js';
export { SystemEventOptions } from './contracts/system-event-options.js';
export { SystemEventStreams } from './contracts/system-stream.js';
export { AuditingEventStore } from './runtime/audit/auditing-event-store.js';
export { CommandAuditBehavior } from './actors/commands/command-audit-behavior.js';
export type { DeferredOutbox } from './contracts/deferred-outbox.js';
export type { SystemEventEmitter } from './contracts/system-event-emitter.js';
export { SystemEventEmitterActor } from './actors/system-event-emitter.js';
export { NoOpSystemEventEmitter } from './runtime/no-op-emitter.js';
export { SystemEventTransportFilter } from './runtime/transport/system-event-filter.js';
export { verifyChain } from './runtime/audit/verify-chain.js';

// Access
export { guard } from './runtime/access/guard-resource.js';
export { AccessDenialReason, PermissionChangeType } from './contracts/events/access.js';
export { Permission } from './contracts/permission.js';
export { type PerspectiveScope, ScopeFilters } from './contracts/perspective-scope.js';

// Migrations
export { MigrationFailureReason, MigrationStatus, MigrationStrategy } from './contracts/migration.js';

// Generated code
export { endpoint, receptor, redaction } from './endpoints/registrations.js';
export type { Registry } from './endpoints/service-definition.js';
/** Decoders and encoders, as generated code uses them. */
export * as codec from './contracts/codec.js';

// System events
export {
  AccessDenied,
  AccessGranted,
  PermissionChanged,
  ScopeContextEstablished,
} from './contracts/events/access.js';
export { CommandAudited, EventAudited } from './contracts/events/audited.js';
export {
  DeploymentCompleted,
  DeploymentReverted,
  DeploymentStageReached,
  DeploymentStarted,
} from './contracts/events/deployment.js';
export {
  CommandFailed,
  HookFailed,
  MessageDeadLettered,
  PerspectiveFailed,
  ReactionFailed,
} from './contracts/events/error.js';
export { FlagChanged } from './contracts/events/flag.js';
export {
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
} from './contracts/events/migration.js';
export { OperatorActed } from './contracts/events/operator.js';
export {
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
} from './contracts/events/perspective.js';
export { ProcessEnded, ProcessStarted, ScheduleMissed, TimersMissed } from './contracts/events/process.js';
export { SegmentSealed } from './contracts/events/segment-sealed.js';
export { StoreTrusted } from './contracts/events/store-trusted.js';
export { OriginWentBack, StoreWentBack } from './contracts/events/store-went-back.js';
export { SubjectForgotten } from './contracts/events/subject.js';
