import { systemRecord } from '../audit/system-record.js';
import type { ServiceParts } from './service.js';
import type { MigrationRecords } from '../migrations/migration-event-journal.js';

type Parts = Pick<ServiceParts, 'systemEventsRegistered' | 'policy' | 'hooks'>;

/** Stores the events of migrations for this service; undefined without system events. */
export const migrationRecords = (parts: Parts, host: string): MigrationRecords | undefined =>
  parts.systemEventsRegistered
    ? {
        host,
        recordOf: (event) => systemRecord(event, {}, parts.policy),
        committed: (records) => parts.hooks.committed(records),
      }
    : undefined;
