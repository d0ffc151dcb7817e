import { workerData } from 'node:worker_threads';
import type { Database } from '../../database/database.js';
import { openOwner } from '../../database/schema-owner.js';
import { appendRecords, inRecordedTransaction } from '../../store/append-records.js';
import { systemEnvelope } from '../../envelope/system-envelope.js';
import { rebuildProgress, startedIdOf } from './rebuild-events.js';
import { type HeartbeatOrder, SharedCounts } from './rebuild-heartbeat.js';
import { renewRebuild } from './rebuild-record.js';

const { url, record, worker, leaseMs, memory } = workerData as HeartbeatOrder;
const counts = new SharedCounts(memory);
const lookEveryMs = 250;
/** The event loop of the rebuild reports every second while it runs. */
const blockedAfterMs = 2_500;
const reportEveryMs = 2_000;

let beats = -1;
let beatAt = performance.now();
let reportedAt = -Infinity;
let isReporting = false;
let owner: Database | undefined;

setInterval(() => {
  const now = performance.now();
  const seen = counts.read();
  if (seen.beats !== beats) [beats, beatAt] = [seen.beats, now];
  if (isReporting || now - beatAt < blockedAfterMs || now - reportedAt < reportEveryMs) return;
  isReporting = true;
  reportedAt = now;
  report()
    // The rebuild itself meets the same fault, and reports it.
    .catch(() => undefined)
    .finally(() => (isReporting = false));
}, lookEveryMs);

async function report(): Promise<void> {
  const database = (owner ??= openOwner(url, 'svc-rebuild'));
  const seen = counts.read();
  if ((await renewRebuild(database, record, worker, seen, leaseMs)) === undefined) return;
  const session = await database.session();
  try {
    // As the rebuild has reported its start: a host that records no such events has none.
    const [row] = await session.rows({
      text: 'SELECT host, publish FROM svc_system_events WHERE event_id = $1',
      values: [startedIdOf(record)],
    });
    if (row === undefined) return;
    const [host, publish] = row;
    const envelope = systemEnvelope(rebuildProgress(record, seen).message);
    await inRecordedTransaction(session, () =>
      appendRecords(session, host ?? '', [{ envelope, publish: publish === 't' }]),
    );
  } finally {
    session.release();
  }
}
