import type { ServiceParts } from './service.js';
import type { ChangeRecorder } from '../store/append-records.js';
import { systemRecord } from '../audit/system-record.js';

/** Records changes of the store as the service records its other system events. */
export const recorderOf = (
  { policy, hooks, systemEventsRegistered }: ServiceParts,
  host: string,
): ChangeRecorder =>
  systemEventsRegistered
    ? {
        host,
        recordOf: (message) => systemRecord(message, {}, policy),
        committed: (records) => hooks.committed(records),
      }
    : { host };
