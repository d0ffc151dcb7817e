import type { Database } from '../database/database.js';
import type { ServiceParts } from '../service/service.js';
import { LogTail } from './log-tail.js';
import { PostgresLog } from './postgres-log.js';

/** The tail of a service's log. */
export function logTailOf(parts: ServiceParts, database: Database): LogTail {
  const source = new PostgresLog(database, parts.unitStore?.upcasters);
  return (parts.logTail ??= new LogTail(
    (...args) => source.sealedPage(...args),
    () => database.changes,
  ));
}
