import * as assert from 'uvu/assert';
import { Event } from '../../../contracts/message.js';
import type { Session } from '../../database/database.js';
import { withMigratedDatabase } from '../../testing/migrated-database.js';
import { createPerspectiveTables } from '../tables/create-tables.js';
import { perspectiveTable, type TableColumn } from '../tables/perspective-table.js';
import type { FilterOperator, RowFilter } from '../reads/read-models.js';
import { conditionOf, type KeyValues, segmentsOf, sortKeysOf } from '../reads/row-segments.js';
import { indexesOf, makeIndexes } from '../tables/table-indexes.js';

class Sold extends Event {}

const of = () => null;

const sales = perspectiveTable({
  name: 'sales',
  events: [Sold],
  initial: () => ({}),
  apply: (sale) => sale,
  newestFirst: true,
  columns: {
    status: { type: 'text', of },
    total: { type: 'numeric', of },
    customerId: { type: 'uuid', of },
    paidAt: { type: 'timestamptz', of },
  },
});

/**
 * Half of the rows belong to one tenant, a few to another one and the rest to none; a third was never paid. Twelve rows
 * have the same total, and thirty the same customer.
 */
const fillOf = (rowCount: number): string =>
  `INSERT INTO ${sales.table}(id, model, tenant, position, applied, updated_at, status, total, customer_id, paid_at)
  SELECT md5(n::text), '{}', CASE WHEN n % 2 = 0 THEN 'north' WHEN n % 125 = 1 THEN 'south' END, n, 1, now(),
    (ARRAY['created', 'shipped', 'cancelled'])[n % 3 + 1], n % ${rowCount / 12}, md5((n % ${rowCount / 30})::text)::uuid,
    CASE WHEN n % 3 > 0 THEN timestamptz '2026-01-01' + n * interval '1 second' END
  FROM generate_series(1, ${rowCount}) n`;

const columnOf = (name: string): TableColumn =>
  sales.columns.find((column) => column.name === name) ?? (assert.unreachable(name) as never);

const filter = (name: string, operator: FilterOperator, ...values: readonly string[]): RowFilter => ({
  column: columnOf(name),
  operator,
  values,
});

interface Asked {
  readonly filters?: readonly RowFilter[];
  readonly sort?: string;
  readonly newestFirst?: boolean;
  readonly after?: KeyValues;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

/** The plan of each part of a page, as the names of its nodes and indexes. */
async function plansOf(
  session: Session,
  { filters = [], sort, newestFirst = false, after }: Asked,
): Promise<string[]> {
  const by =
    sort === undefined ? [] : [{ column: columnOf(sort.replace('-', '')), descending: sort.startsWith('-') }];
  const keys = sortKeysOf({ sort: by, newestFirst });
  const query = { filters: filters.map(conditionOf), keys };
  const plans: string[] = [];
  for (const part of segmentsOf(keys, after)) {
    const [statement] = await session.rows({
      text: "SELECT svc_page_statement(svc_selected_rows($1, $2, current_setting('svc.tenant', true)), $2, $3, 11, 0)",
      values: [sales.table, JSON.stringify(query), JSON.stringify(part)],
    });
    const [row] = await session.rows({ text: `EXPLAIN (FORMAT JSON) ${statement?.[0] ?? ''}` });
    const [{ Plan }] = JSON.parse(row?.[0] ?? '[]') as [{ readonly Plan: PlanNode }];
    plans.push(namesIn(Plan).join(' '));
  }
  return plans;
}

/** A sort of no more rows than a page is as good as none. */
const namesIn = ({
  'Node Type': type,
  'Index Name': index,
  'Plan Rows': rows,
  Plans = [],
}: PlanNode): string[] => [
  ...(type === 'Sort' && rows <= 11 ? [] : [type]),
  ...(index === undefined ? [] : [index]),
  ...Plans.flatMap(namesIn),
];

const index = (name: string): string => `svc_by_${sales.hash.slice(0, 8)}_${name}`;
const ordered = (name: string): string => `Aggregate Limit Index Scan ${name}`;
const someId = 'a'.repeat(32);

/** A session as the owner of a table with this many rows. */
interface FilledTable {
  readonly session: Session;
  readonly rowCount: number;
  /** Reads for this tenant from now on. */
  readonly as: (tenant: string) => Promise<unknown>;
}

export const withFilledTable = (
  rowCount: number,
  body: (table: FilledTable) => Promise<void>,
): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await createPerspectiveTables(owner, [sales]);
    const session = await owner.session();
    try {
      // Indexes that are made afterwards take a fraction of the time.
      await session.rows({
        text: indexesOf(sales)
          .map(({ name }) => `DROP INDEX IF EXISTS "${name}"`)
          .join(';'),
      });
      await session.rows({ text: fillOf(rowCount) });
      await session.rows({ text: `SET maintenance_work_mem = '256MB'; ${makeIndexes(sales)}` });
      await session.rows({ text: `ANALYZE ${sales.table}` });
      await body({
        session,
        rowCount,
        as: (tenant) =>
          session.rows({ text: "SELECT set_config('svc.tenant', $1, false)", values: [tenant] }),
      });
    } finally {
      session.release(true);
    }
  });

const someUuid = '0190b5d4-0000-7000-8000-000000000001';
const secondsIntoYear = (seconds: number): string =>
  new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

async function readInOrder({ session, rowCount, as }: FilledTable): Promise<void> {
  for (const tenant of ['north', '']) {
    await as(tenant);
    for (const sort of [
      'status',
      '-status',
      'total',
      '-total',
      'customerId',
      '-customerId',
      'paidAt',
      '-paidAt',
    ]) {
      const { column, type } = columnOf(sort.replace('-', ''));
      const value = {
        text: 'created',
        numeric: String(rowCount / 25),
        uuid: someUuid,
        timestamptz: secondsIntoYear(rowCount / 4),
      }[type as 'text'];
      for (const after of [undefined, [value, someId], [null, someId]]) {
        const plans = await plansOf(session, { sort, ...(after === undefined ? {} : { after }) });
        const name = `${tenant} ${sort} ${after?.[0] ?? ''}`;
        // Rows without a value may as well be found in the order of their ids.
        for (const plan of plans) assert.match(plan, /^Aggregate Limit Index Scan \S+$/, name);
        if (after?.[0] !== null) assert.is(plans[0], ordered(index(column)), name);
      }
    }
    const [newest, ...others] = await plansOf(session, { newestFirst: true });
    assert.equal([newest, others], [ordered(index('position')), []]);
  }
}

async function findByIndex({ session, rowCount, as }: FilledTable): Promise<void> {
  for (const tenant of ['north', 'south', '']) {
    await as(tenant);
    for (const [asked, column] of [
      [filter('customerId', 'eq', someUuid), 'customer_id'],
      [filter('customerId', 'in', someUuid, someUuid.replace('1', '2')), 'customer_id'],
      [filter('total', 'eq', String(rowCount / 12 - 2)), 'total'],
      [filter('total', 'gte', String(rowCount / 12 - 5)), 'total'],
      [filter('total', 'lt', '5'), 'total'],
      [filter('paidAt', 'gt', secondsIntoYear(rowCount - 60)), 'paid_at'],
      [filter('status', 'gte', 'zzz'), 'status'],
    ] as const)
      for (const plan of await plansOf(session, { filters: [asked] })) {
        assert.match(
          plan,
          new RegExp(`(?:Index Scan|Bitmap Index Scan) ${index(column)}`),
          `${tenant} ${plan}`,
        );
        assert.not.match(plan, 'Seq Scan');
      }
    // Equal rows follow by id.
    const plans = await plansOf(session, { filters: [filter('status', 'eq', 'shipped')] });
    if (tenant === 'north') assert.equal(plans, [ordered(index('status'))]);
  }
  // Without the extension pg_trgm every row is looked at.
  const contains = { filters: [filter('status', 'contains', 'turned')] };
  const [scan = ''] = await plansOf(session, contains);
  assert.not.match(scan, index('status.part'));
  await session.rows({ text: `CREATE EXTENSION pg_trgm; ${makeIndexes(sales)}` });
  const [plan = ''] = await plansOf(session, contains);
  assert.match(plan, `Bitmap Index Scan ${index('status.part')}`);
}

/** What the plans of reads must do, whatever the size of the table. */
export const planRules: Readonly<Record<string, (table: FilledTable) => Promise<void>>> = {
  'a page in any declared order is read from its index without sorting, for a tenant and without one, from the start and after a cursor':
    readInOrder,
  'every comparison uses the index of its column, and a part of a text one that needs pg_trgm': findByIndex,
};
