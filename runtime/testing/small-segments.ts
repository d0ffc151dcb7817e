import { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import { execute } from '../kit/database.js';

/** Gives an empty store segments of this size. */
export const useSegmentsOf = (url: string, size: number): Promise<void> =>
  execute(
    url,
    `DO $$
    DECLARE part regclass;
    BEGIN
      DROP VIEW svc_open_events, svc_open_records;
      FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent IN ('svc_events'::regclass, 'svc_system_events'::regclass) LOOP
        EXECUTE format('DROP TABLE %s', part);
      END LOOP;
      DELETE FROM svc_segments;
      UPDATE svc_store SET segment_size = ${size};
      PERFORM svc_make_segments();
      PERFORM svc_show_open_segment();
    END $$`,
  );

const policy = new AuditPolicy(new SystemEventOptions());

/** Records changes of the store as a host does. */
export const testRecorder = {
  host: 'test',
  recordOf: (message: SystemMessage) => systemRecord(message, {}, policy),
};
