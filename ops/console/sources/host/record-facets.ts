import type { Long } from '../../../../contracts/scalars.js';
import type { Database } from '../../../../runtime/database/database.js';
import { firstSince } from '../../../audit/first-since.js';
import {
  conditionsOf,
  lastPosition,
  ownSystemStream,
  type RecordTable,
  userColumn,
  windowSize,
} from '../../../audit/record-query.js';
import type { FacetValue, SystemFacets, SystemFilter } from '../../model/system-records.js';

const maxValues = 30;

/** How often each type, host and user occurs among the newest records of the time that match. */
export async function readFacets(
  database: Database,
  log: RecordTable,
  filter: SystemFilter,
): Promise<SystemFacets> {
  const { to, from } = await positionsOf(database, log, filter);
  const first = Math.max(from, to - windowSize + 1);
  const values: unknown[] = [first, to];
  const where = conditionsOf({ ...filter, isPartial: true }, log.filters ?? [], values);
  const rows = await database.rows({
    text: `SELECT grouping(event_type, host, ${userColumn}), coalesce(event_type, host, ${userColumn}), count(*) FROM ${log.table}
      WHERE ${[`${log.positionColumn} >= $1`, `${log.positionColumn} <= $2`, ...where].join(' AND ')}
      GROUP BY GROUPING SETS ((event_type), (host), (${userColumn})) ORDER BY 3 DESC LIMIT ${maxValues}`,
    values,
  });
  const found = rows.flatMap(([grouped, value, count]): FacetValue[] => {
    const facet = facets[Number(grouped)];
    return facet === undefined || value === null || value === undefined
      ? []
      : [{ facet, value, count: Number(count) }];
  });
  return { examined: Math.max(0, to - first + 1), values: found };
}

/** By the bits of the columns that are not grouped by. */
const facets: Readonly<Record<number, FacetValue['facet']>> = { 3: 'type', 5: 'host', 6: 'user' };

/** The positions between two times; records of other stores arrive later than they were recorded. */
export async function positionsOf(
  database: Database,
  log: RecordTable,
  { since, until }: SystemFilter,
): Promise<{ readonly from: Long; readonly to: Long }> {
  const last = await lastPosition(database, log);
  if (log !== ownSystemStream || (since === undefined && until === undefined)) return { from: 1, to: last };
  const { table, positionColumn } = log;
  const [row] = await database.rows({
    text: `SELECT ${firstSince(table, positionColumn, '$1')}, ${firstSince(table, positionColumn, '$2')}`,
    values: [since ?? '-infinity', until ?? 'infinity'],
  });
  return {
    from: since === undefined ? 1 : Math.max(1, Number(row?.[0] ?? 1)),
    to: until === undefined ? last : Math.min(last, Number(row?.[1] ?? last)),
  };
}
