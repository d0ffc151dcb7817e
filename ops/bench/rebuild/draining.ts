import { openDatabase } from '../../../runtime/database/database.js';
import { copyText } from '../../../runtime/log/copy-events-from-log.js';
import { OrderPlaced } from './order-totals.js';

/** Copies rows out without looking at them: in the order of a rebuild, or in table order. */
const [url = '', what = 'events'] = process.argv.slice(2);
const database = openDatabase({ url, connections: 1, statementTimeoutMs: 600_000 });
const session = await database.session();
const [row] = await session.rows({ text: 'SELECT max(global_position) FROM svc_events' });
const inOrder = copyText({ events: [OrderPlaced] }, { after: 0, to: Number(row?.[0]) });
const began = performance.now();
let events = 0;
await session.copyBytes(
  what === 'events' ? inOrder : 'COPY (SELECT * FROM svc_events) TO STDOUT (FORMAT binary)',
  () => events++,
);
const seconds = (performance.now() - began) / 1_000;
const peakMb = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(`${JSON.stringify({ events, seconds, peakMb })}\n`);
session.release();
await database.close();
