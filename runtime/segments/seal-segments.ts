import { SegmentSealed } from '../../contracts/events/segment-sealed.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import type { Database, Session } from '../database/database.js';
import { inTransaction, lockRetryDefaults } from '../database/lock-retry.js';
import { failpoint } from '../failpoint.js';
import { nowText } from '../now-text.js';
import { appendRecords } from '../store/append-records.js';

/** How the end of a segment is recorded. */
export interface SealRecorder {
  readonly host: string;
  /** Undefined when system events are not registered: then only the table of segments knows the digests. */
  readonly recordOf?: ((message: SystemMessage) => StagedRecord) | undefined;
  /** Called when they are stored. */
  readonly committed?: ((records: readonly StagedRecord[]) => void) | undefined;
}

/** Makes the segments that are needed next. In a store without segments there are none to make. */
export const makeSegments = (database: Pick<Database, 'rows'>): Promise<unknown> =>
  database.rows({ text: 'SELECT svc_make_segments()' });

/**
 * Seals every full segment, from the lowest on, and returns the events of those that were sealed here. Each step is a
 * transaction of its own, and the last one of a segment stores its SegmentSealed: a host that dies in between leaves
 * the rest to the next one. A segment that another host works on is left to it.
 */
export async function sealSegments(
  database: Database,
  recorder: SealRecorder,
  isStopped: () => boolean = () => false,
): Promise<readonly SegmentSealed[]> {
  const sealed: SegmentSealed[] = [];
  while (!isStopped()) {
    const [step] = await database.rows({ text: 'SELECT segment, is_ready FROM svc_gather_segment()' });
    if (step === undefined) break;
    failpoint('segment-gathered');
    if (step[1] !== 't') continue;
    const ended = await endSegment(database, Number(step[0]), recorder);
    if (ended !== undefined) sealed.push(ended);
  }
  return sealed;
}

async function endSegment(
  database: Database,
  low: number,
  { host, recordOf, committed }: SealRecorder,
): Promise<SegmentSealed | undefined> {
  const session = await database.session();
  try {
    let record: StagedRecord | undefined;
    const ended = await inTransaction(session, lockRetryDefaults, async () => {
      const event = await flip(session, low);
      record = event === undefined ? undefined : recordOf?.(event);
      if (record !== undefined) await appendRecords(session, host, [record]);
      failpoint('segment-sealing');
      return event;
    });
    if (record !== undefined) committed?.([record]);
    return ended;
  } finally {
    session.release();
  }
}

async function flip(session: Session, low: number): Promise<SegmentSealed | undefined> {
  const [row] = await session.rows({ text: 'SELECT * FROM svc_seal_segment($1)', values: [low] });
  const [high, events, records, lastHash, eventsSha256, recordsSha256] = row ?? [];
  if (high === null || high === undefined) return undefined;
  return new SegmentSealed({
    low,
    high: Number(high),
    events: Number(events),
    records: Number(records),
    lastHash: lastHash ?? '',
    eventsSha256: eventsSha256 ?? '',
    recordsSha256: recordsSha256 ?? '',
    timestamp: nowText(),
  });
}
