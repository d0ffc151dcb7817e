import { SegmentSealed } from '../../contracts/events/segment-sealed.js';
import type { Database, Session } from '../database/database.js';
import { failpoint } from '../lang/failpoint.js';
import { nowText } from '../lang/now-text.js';
import { type ChangeRecorder, recordedIn } from '../store/append-records.js';

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
  recorder: ChangeRecorder,
  isStopped: () => boolean = () => false,
): Promise<readonly SegmentSealed[]> {
  const sealed: SegmentSealed[] = [];
  while (!isStopped()) {
    const [step] = await database.rows({ text: 'SELECT segment, is_ready FROM svc_gather_segment()' });
    if (step === undefined) break;
    failpoint('segment-gathered');
    if (step[1] !== 't') continue;
    sealed.push(...(await endSegment(database, Number(step[0]), recorder)));
  }
  return sealed;
}

async function endSegment(
  database: Database,
  low: number,
  recorder: ChangeRecorder,
): Promise<readonly SegmentSealed[]> {
  return recordedIn(database, recorder, async (session) => {
    const ended = await flip(session, low);
    failpoint('segment-sealing');
    return ended;
  });
}

async function flip(session: Session, low: number): Promise<readonly SegmentSealed[]> {
  const [row] = await session.rows({ text: 'SELECT * FROM svc_seal_segment($1)', values: [low] });
  const [high, events, records, lastHash, eventsSha256, recordsSha256] = row ?? [];
  if (high === null || high === undefined) return [];
  const event = new SegmentSealed({
    low,
    high: Number(high),
    events: Number(events),
    records: Number(records),
    lastHash: lastHash ?? '',
    eventsSha256: eventsSha256 ?? '',
    recordsSha256: recordsSha256 ?? '',
    timestamp: nowText(),
  });
  return [event];
}
