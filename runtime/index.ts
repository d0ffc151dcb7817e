export { Cancellation } from './cancellation.js';
export { type Database, type DatabaseOptions, openDatabase } from './database/database.js';
export { type EmbeddedServer, startEmbeddedServer } from './database/embedded-server.js';
export { failpoint } from './failpoint.js';
export { migrate, type Migrated, type MigrateOptions } from './migrations/migrate.js';
export { type ContextInit, RequestContext } from './request-context.js';
export { PostgresIdempotencyGate } from './store/idempotency-gate.js';
export {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from './store/postgres-event-store.js';
export { InProcessTransport, type Subscriber } from './transport/in-process.js';
export { StagedUnit } from './unit-of-work.js';
export { version } from './version.js';
