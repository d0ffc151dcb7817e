import type { Database } from '../../runtime/database/database.js';
import { listPerspectives } from '../service/perspective-list.js';
import type { Found } from './operator-tool.js';

/** Counting further would take longer than anybody waits. */
const mostCounted = 10_000;

/** How a service is, as its store knows it. */
export async function hostsAndModels(database: Database): Promise<Found> {
  const [hosts, perspectives, stuck, [pending]] = await Promise.all([
    database.rows({
      text: `SELECT name, version, svc_iso_time(seen_at) FROM svc_hosts ORDER BY seen_at DESC LIMIT 100`,
    }),
    listPerspectives(database),
    database.rows({
      text: 'SELECT follower, state, count(*) FROM svc_stuck GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 100',
    }),
    database.rows({
      text: `SELECT count(*) FROM (SELECT 1 FROM svc_outbox_pending LIMIT ${mostCounted}) pending`,
    }),
  ]);
  return {
    rows: [
      ...hosts.map(([host, version, seenAt]) => ({ host, version, seenAt })),
      ...perspectives.map(({ name: perspective, ...facts }) => ({ perspective, ...facts })),
      ...stuck.map(([follower, state, count]) => ({ stuck: follower, state, count: Number(count) })),
      { messagesThatWait: Number(pending?.[0]) },
    ],
  };
}
