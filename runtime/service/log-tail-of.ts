import type { Database } from '../database/database.js';
import { LogTail } from '../log/log-tail.js';
import { PostgresLog } from '../log/postgres-log.js';
import type { ServiceParts } from './service.js';

/** The tail of a service's log. */
export function logTailOf(parts: ServiceParts, database: Database): LogTail {
  const source = new PostgresLog(database, parts.unitStore?.upcasters, parts.freezesEvents);
  return (parts.logTail ??= new LogTail(
    (...args) => source.sealedPage(...args),
    () => database.changes,
  ));
}
