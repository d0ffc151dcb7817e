import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../../runtime/database/database.js';
import { conditionsOf, ownSystemStream, type SystemStreamFilter } from './record-query.js';

/** The terms of a filter: a matching record has one of each list. */
interface IndexedFilter {
  /** The last position in the index. */
  readonly upTo: Long;
  readonly terms: readonly (readonly string[])[];
}

/** What a search of one part of the index found, newest first, and the position below which it continues. */
export interface Found {
  readonly rows: readonly Row[];
  readonly next: Long;
}

const blockSize = 32;
/** Most of them have a match, so that one query often reads enough of them. */
const blocksFor = (newest: number): number => Math.min(100, Math.max(20, newest));
/** A part of so many values is not looked up: it is found soon by reading. */
const maxTerms = 100;
/** Stored of a value. */
const maxLength = 200;
/** Only a whole correlation id is in the index: a UUID or a trace id. */
const wholeId = /^[0-9a-f-]{32,36}$/i;

/** Values by a part of them, the most selective field first; undefined if the index does not help. */
export async function indexedFilter(
  database: Database,
  { correlation, user, type, tenant, host }: SystemStreamFilter,
): Promise<IndexedFilter | undefined> {
  const fields = Object.entries({ user, type, tenant, host }).filter(
    ([, part = '']) => part !== '' && part.length <= maxLength,
  );
  const isWhole = correlation !== undefined && wholeId.test(correlation);
  if (fields.length === 0 && !isWhole) return undefined;
  const [row = []] = await database.rows({
    text: `SELECT (SELECT v.stream_position FROM svc_system_events v
          WHERE v.global_position < (SELECT s.indexed FROM svc_segments s WHERE s.indexed < s.high ORDER BY s.low LIMIT 1)
          ORDER BY v.global_position DESC LIMIT 1),
        svc_search_term('correlation', $3),
        (SELECT json_agg((SELECT json_agg(f.term::text) FROM (SELECT v.term FROM svc_search_values v
            WHERE v.field = g.field AND strpos(v.value, lower(g.part)) > 0 LIMIT ${maxTerms + 1}) f) ORDER BY g.nth)
          FROM unnest($1::text[], $2::text[]) WITH ORDINALITY g(field, part, nth))`,
    values: [fields.map(([field]) => field), fields.map(([, part]) => part), correlation ?? null],
  });
  const [upTo, id, found] = row;
  const lists = (JSON.parse(found ?? '[]') as readonly (readonly string[] | null)[]).map(
    (list) => list ?? [],
  );
  const terms = [...(isWhole ? [[id ?? '']] : []), ...lists.filter((list) => list.length <= maxTerms)];
  return terms.length === 0 ? undefined : { upTo: Number(upTo ?? 0), terms };
}

/** The newest matching records of a range that is in the index. */
export async function findInIndex(
  database: Database,
  columns: string,
  filter: SystemStreamFilter,
  { terms }: IndexedFilter,
  { from, to, newest }: { readonly from: Long; readonly to: Long; readonly newest: number },
): Promise<Found> {
  const count = blocksFor(newest);
  const blocks = await newestBlocks(database, terms, { from, to, count });
  const lowest = blocks.at(-1);
  if (lowest === undefined) return { rows: [], next: from - 1 };
  const { table, positionColumn } = ownSystemStream;
  const values: unknown[] = [blocks, from, to, newest];
  const where = [
    'v.global_position >= b.block',
    `v.global_position < b.block + ${blockSize}`,
    ...conditionsOf(filter, [], values),
  ];
  // OFFSET 0: each block is read by its positions, instead of all records in their order. Sorted by the numbers of the
  // blocks first, which are in order already: those below the last hit are not read.
  const rows = await database.rows({
    text: `SELECT ${positionColumn}, ${columns} FROM unnest($1::bigint[]) WITH ORDINALITY b(block, nth) CROSS JOIN LATERAL (
        SELECT v.* FROM ${table} v WHERE ${where.join(' AND ')} OFFSET 0) v
      WHERE ${positionColumn} >= $2 AND ${positionColumn} <= $3 ORDER BY b.nth, ${positionColumn} DESC LIMIT $4`,
    values,
  });
  if (rows.length === newest) return { rows, next: Number(rows.at(-1)?.[0]) - 1 };
  if (blocks.length < count) return { rows, next: from - 1 };
  const [first] = await database.rows({
    text: `SELECT stream_position FROM ${table} WHERE global_position >= $1 ORDER BY global_position LIMIT 1`,
    values: [lowest],
  });
  return { rows, next: Number(first?.[0] ?? from) - 1 };
}

/** The first positions of the newest blocks that may have a matching record, newest first. */
async function newestBlocks(
  database: Database,
  [first = [], ...others]: IndexedFilter['terms'],
  { from, to, count }: { readonly from: Long; readonly to: Long; readonly count: number },
): Promise<readonly number[]> {
  const also = others.map(
    (_, index) => `AND EXISTS (SELECT 1 FROM svc_search_blocks o
      WHERE o.block = s.block AND o.term = ANY($${index + 4}::bigint[]))`,
  );
  const blockOf = (position: string, order: string) =>
    `(SELECT v.global_position / ${blockSize} FROM svc_system_events v WHERE v.stream_position ${position}
      ORDER BY v.stream_position ${order} LIMIT 1)`;
  const rows = await database.rows({
    text: `SELECT DISTINCT b.block * ${blockSize} FROM unnest($1::bigint[]) t(term) CROSS JOIN LATERAL (
        SELECT s.block FROM svc_search_blocks s WHERE s.term = t.term AND s.block >= ${blockOf('>= $2', 'ASC')}
          AND s.block <= ${blockOf('<= $3', 'DESC')} ${also.join(' ')} ORDER BY s.block DESC LIMIT ${count}) b
      ORDER BY 1 DESC LIMIT ${count}`,
    values: [first, from, to, ...others],
  });
  return rows.map(([block]) => Number(block));
}
