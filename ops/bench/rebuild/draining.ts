import { openDatabase } from '../../../runtime/database/database.js';

/** Copies the same rows out and looks at none of them. */
const [url = ''] = process.argv.slice(2);
const database = openDatabase({ url, connections: 1, statementTimeoutMs: 600_000 });
const session = await database.session();
const began = performance.now();
let events = 0;
await session.copyBytes('COPY svc_events TO STDOUT (FORMAT binary)', () => events++);
const seconds = (performance.now() - began) / 1_000;
const peakMb = process.resourceUsage().maxRSS / 1_024;
process.stdout.write(`${JSON.stringify({ events, seconds, peakMb })}\n`);
session.release();
await database.close();
