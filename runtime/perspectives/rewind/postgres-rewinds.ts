import type { Long } from '../../../contracts/scalars.js';
import type { Database } from '../../database/database.js';
import { readObjects } from '../../database/read-objects.js';
import type {
  CompletedRewind,
  PerspectiveRewinds,
  StreamRewind,
  UnreportedReplay,
} from '../perspective-store.js';

export const postgresRewinds = (
  database: Pick<Database, 'rows'>,
  perspective: string,
): PerspectiveRewinds => {
  const call = async (text: string, ...values: unknown[]): Promise<void> =>
    void (await database.rows({ text, values }));
  return {
    begin: (to) =>
      readObjects<StreamRewind>(database, {
        text: `SELECT rewind, stream_id AS "streamId", names, svc_iso_time(started_at) AS "startedAt", announced,
          trigger_id AS "triggerEventId" FROM svc_claim_rewinds($1, $2)`,
        values: [perspective, to],
      }),
    markAnnounced: (rewind) => call('SELECT svc_rewind_announced($1)', rewind),
    unreported: () =>
      readObjects<UnreportedReplay>(database, {
        text: `SELECT p.rewind, p.from_position AS "fromPosition", p.trigger_event_id AS "triggerEventId",
            p.final_event_id AS "finalEventId", p.replayed, svc_iso_time(p.started_at) AS "startedAt",
            svc_iso_time(p.completed_at) AS "completedAt", r.stream_id AS "streamId"
          FROM svc_rewind_replays p JOIN svc_rewinds r ON r.global_position = p.rewind
          WHERE p.perspective = $1 AND NOT p.told ORDER BY p.rewind, p.from_position`,
        values: [perspective],
      }),
    markReported: ({ rewind, fromPosition }) =>
      call('SELECT svc_rewind_told($1, $2, $3)', rewind, perspective, fromPosition),
    completed: () => readObjects<CompletedRewind>(database, { text: completedText }),
    close: (rewind: Long) => call('SELECT svc_close_rewind($1)', rewind),
  };
};

const completedText = `SELECT r.global_position AS rewind, r.stream_id AS "streamId", r.names, svc_iso_time(r.started_at) AS "startedAt",
    svc_iso_time(coalesce(p.at, clock_timestamp())) AS "completedAt", p.n AS replayed
  FROM svc_rewinds r CROSS JOIN LATERAL (
    SELECT coalesce(sum(x.replayed), 0) n, max(x.completed_at) at, coalesce(bool_and(x.told), true) told
    FROM svc_rewind_replays x WHERE x.rewind = r.global_position) p
  WHERE r.pending = '{}' AND r.started_at IS NOT NULL AND p.told`;
