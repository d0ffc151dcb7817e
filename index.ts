// What applications use. System events are in svc-runtime/system-events, machinery in the folders: svc-runtime/runtime, …

// Messages
export { Command, type Envelope, Event, SystemEvent } from './contracts/message.js';
export { CommandEndpoint } from './contracts/command-endpoint.js';
export { Sensitive } from './contracts/sensitive.js';
export type { Decimal, Duration, Int, Json, Long, Timestamp, Uuid } from './contracts/scalars.js';
export { Decimals } from './contracts/decimals.js';
export { newUuid } from './contracts/uuid.js';
export { namedUuid } from './runtime/lang/named-uuid.js';
export { Problem } from './contracts/problems.js';

// Commands
export type { Behavior, Dispatcher, Receptor, UnitOfWork } from './contracts/receptor.js';
export type { MutationContext } from './contracts/mutation-context.js';
export { MutationEndpointBase, RestMutationEndpointBase } from './endpoints/mutation-endpoint.js';

// When something happens
export { later, type Reaction, unschedule } from './contracts/reaction.js';
export type { Schedule } from './contracts/schedule.js';
export type { Decider } from './contracts/decider.js';
export { type Effect, type EffectCall, EffectRefused, TryLater } from './contracts/effect.js';
export { guardedFetch } from './runtime/outbound/guarded-fetch.js';
export type { Process } from './actors/processes/process.js';
export { processSetup, shape } from './actors/processes/process-setup.js';

// Events and read models
export { type EventStore, isEventOf, type StoredEvent } from './contracts/event-store.js';
export { type Upcaster, Upcasters } from './contracts/upcaster.js';
export { type Perspective, RebuildMode } from './contracts/perspective.js';

// A service
export type { ServiceDefinition } from './endpoints/service-definition.js';
export { ownRoute } from './endpoints/own-route.js';
export { published } from './endpoints/webhooks/published.js';
export { webhookSender } from './endpoints/webhooks/webhook-sender.js';
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
export { AuditEvent, AuditLevel } from './contracts/audit.js';

// Access
export { guard } from './runtime/access/guard-resource.js';
export { Permission } from './contracts/permission.js';
export { type PerspectiveScope, ScopeFilters } from './contracts/perspective-scope.js';
