export { guard } from './access/guard-resource.js';
export { AuditingEventStore } from './audit/auditing-event-store.js';
export type { ChainHead } from './audit/chain.js';
export type { SystemEventHook } from './audit/system-event-hooks.js';
export { type ChainReport, verifyChain, type VerifyOptions } from './audit/verify-chain.js';
export { Cancellation } from './lang/cancellation.js';
export { type Database, type DatabaseOptions, openDatabase } from './database/database.js';
export { type EmbeddedServer, startEmbeddedServer } from './database/embedded-server.js';
export { failpoint } from './lang/failpoint.js';
export {
  aggregatedText,
  createMetrics,
  type MetricFamily,
  type Metrics,
  type MetricsSnapshot,
} from './metrics/metrics.js';
export { migrate, type Migrated, type MigrateOptions } from './migrations/migrate.js';
export { namedUuid } from './lang/named-uuid.js';
export { NoOpSystemEventEmitter } from './service/no-op-emitter.js';
export type {
  PerspectiveState,
  RebuildOptions,
  RebuildProgress,
  Rebuilt,
  ServicePerspectives,
} from './perspectives/service-perspectives.js';
export { perspectiveDdl } from './perspectives/tables/ddl.js';
export { type FoldThreads, serveFolding } from './perspectives/rebuild/fold-thread.js';
export {
  perspectiveTable,
  perspectiveTables,
  type PerspectiveTable,
} from './perspectives/tables/perspective-table.js';
export { type ContextInit, RequestContext } from './request/request-context.js';
export { type Addition, addService, Service } from './service/service.js';
export { postgresEventStore } from './service/add-postgres-event-store.js';
export { addUpcasters } from './service/add-upcasters.js';
export { type PostgresSource } from './service/migrate-and-open-store.js';
export { eventStore } from './service/register-event-store.js';
export { PostgresIdempotencyGate } from './store/postgres-idempotency-gate.js';
export {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from './store/postgres-event-store.js';
export { receiving } from './tracing/tracing.js';
export { SystemEventTransportFilter } from './transport/system-event-filter.js';
export { InProcessTransport } from './transport/in-process-transport.js';
export { natsTransport } from './transport/nats-transport.js';
export { StagedUnit } from './unit/unit-of-work.js';
export { version } from './lang/version.js';
export {
  type GuardedAnswer,
  guardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
} from './outbound/guarded-fetch.js';
export type { ResolveAll } from './outbound/resolve-names.js';
