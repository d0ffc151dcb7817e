import type { Long } from '../../contracts/scalars.js';
import { chainStart } from '../audit/chain-start.js';
import type { Database } from '../database/database.js';
import { readImported } from './import-state.js';

/** Imported events that differ from their EventsImported. */
interface ImportFault {
  readonly from: Long;
  readonly to: Long;
  /** The position of the EventsImported in the system stream. */
  readonly recordedAt: Long;
}

export interface ImportsReport {
  readonly ok: boolean;
  /** How many events the records cover. */
  readonly events: number;
  /** The first of those that differ. */
  readonly faults: readonly ImportFault[];
  /** How many imported events no record covers: an import was killed, and not run again. */
  readonly unrecorded: number;
}

const maxFaults = 100;

/** Compares imported events with the digests in the system stream; a chunk that is archived, in part too, is left out. */
export async function verifyImports(database: Pick<Database, 'rows' | 'session'>): Promise<ImportsReport> {
  const { low: firstHeld } = await chainStart(database);
  const session = await database.session();
  try {
    await session.rows({ text: 'SET statement_timeout = 0' });
    const records = await session.rows({
      text: `SELECT stream_position, data ->> 'from', data ->> 'to', data ->> 'count', data ->> 'sha256'
        FROM svc_system_events WHERE event_type = 'EventsImported' ORDER BY stream_position`,
    });
    const faults: ImportFault[] = [];
    let events = 0;
    let archivedTo = firstHeld - 1;
    for (const [recordedAt, low, high, count, sha256] of records) {
      const [from, to] = [Number(low), Number(high)];
      if (from < firstHeld) {
        archivedTo = Math.max(archivedTo, to);
        continue;
      }
      events += Number(count);
      const found = await readImported(session, from, to);
      const isSame =
        found?.sha256 === sha256 && found?.count === Number(count) && found.from === from && found.to === to;
      if (!isSame) faults.push({ from, to, recordedAt: Number(recordedAt) });
    }
    const [[stored] = []] = await session.rows({
      text: 'SELECT count(*) FROM svc_events WHERE imported AND global_position > $1',
      values: [archivedTo],
    });
    return {
      ok: faults.length === 0,
      events,
      faults: faults.slice(0, maxFaults),
      unrecorded: Math.max(0, Number(stored) - events),
    };
  } finally {
    session.release(true);
  }
}
