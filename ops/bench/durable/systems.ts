import { fileURLToPath } from 'node:url';
import { builtForProcess } from '../../../runtime/testing/process-root.js';
import { peer } from '../harness/peers.js';
import { onPostgres } from './on-postgres.js';
import { startRestate } from './restate-system.js';
import type { System } from './system.js';

export const ours = 'ours';

/** Each as shipped: nothing is tuned or patched, and all of them sync to disk. */
export const systems: readonly System[] = [
  {
    name: ours,
    start: onPostgres({
      name: ours,
      script: fileURLToPath(builtForProcess(new URL('our-app.js', import.meta.url))),
      placed: `SELECT stream_id AS id, count(*) AS n FROM svc_events WHERE event_type = 'OrderPlaced' GROUP BY 1`,
    }),
  },
  {
    name: 'DBOS',
    isPeer: true,
    start: onPostgres({
      name: 'DBOS',
      script: peer('dbos.mjs'),
      placed: 'SELECT id, count(*) AS n FROM orders GROUP BY 1',
    }),
  },
  { name: 'Restate', isPeer: true, start: startRestate },
];
