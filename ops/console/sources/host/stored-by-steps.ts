import type { Timestamp } from '../../../../contracts/scalars.js';
import type { Database } from '../../../../runtime/database/database.js';
import { firstSince } from '../../../audit/first-since.js';
import { correlationColumn } from '../../../audit/record-query.js';
import type { StreamRecord } from '../../model/system-records.js';
import { eventColumns } from './stored-by-request.js';
import { listColumns, streamRecordOf } from './system-stream-part.js';

interface StoredBySteps {
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
}

const before = `interval '1 second'`;
/** What a step sends is stored with it; a reaction that is behind is later. */
const after = `interval '5 seconds'`;
const maxRecords = 200;
/** No index has correlation ids: this many positions are read in less than a second. */
const maxSearched = 200_000;

/** The records with one of these correlation ids in the parts of the log that were written around the steps. */
export async function storedBySteps(
  database: Database,
  steps: readonly { readonly at: Timestamp }[],
  correlations: readonly string[],
): Promise<StoredBySteps> {
  if (steps.length === 0 || correlations.length === 0) return { events: [], records: [] };
  const times = [...new Set(steps.map(({ at }) => at))];
  const values = [times, correlations, Math.ceil(maxSearched / times.length)];
  const found = async (table: string, position: string, columns: string, correlation: string) => {
    const rows = await database.rows({
      text: `WITH spans AS (SELECT ${firstSince(table, position, `(step - ${before})`)} AS low,
          ${firstSince(table, position, `(step + ${after})`)} AS high FROM unnest($1::timestamptz[]) step)
        SELECT * FROM (SELECT DISTINCT ON (${position}) ${position} AS place, ${columns} FROM spans JOIN ${table}
            ON ${position} >= low AND ${position} <= least(high, low + $3::bigint)
          WHERE ${correlation} = ANY($2::text[]) ORDER BY ${position} DESC LIMIT ${maxRecords}) newest ORDER BY place`,
      values,
    });
    return rows.map(streamRecordOf);
  };
  const [events, records] = await Promise.all([
    found('svc_events', 'global_position', eventColumns, `metadata ->> 'correlationId'`),
    found('svc_system_events', 'stream_position', listColumns, correlationColumn),
  ]);
  return { events, records };
}
