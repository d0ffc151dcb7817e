import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { createPerspectiveTables } from '../../../runtime/perspectives/tables/create-tables.js';
import type { PerspectiveTable } from '../../../runtime/perspectives/tables/perspective-table.js';
import {
  type ReadModels,
  readModels,
  type RowsQuery,
} from '../../../runtime/perspectives/reads/read-models.js';
import { firstPage } from '../../../runtime/testing/first-page.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import type { Figures } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { fillSales, sales } from './sales.js';

const few = 1_000;
const many = 1_000_000;
type Tables = readonly (readonly [PerspectiveTable, number])[];

const whole: RowsQuery = { ...firstPage, tenant: 'north' };

/** The same page of a small and a large table: what it costs must not depend on the rows that are not on it. */
export function reads(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(1, async ([url = '']) => {
    const tables: Tables = [
      [sales('few-sales'), few],
      [sales('many-sales'), scaled(many, run)],
    ];
    const { role } = await migrate({ ownerUrl: url });
    const owner = openDatabase({ url, connections: 1, statementTimeoutMs: 600_000 });
    const database = openDatabase({ url, connections: 1, ...(role === undefined ? {} : { role }) });
    try {
      await createPerspectiveTables(
        owner,
        tables.map(([table]) => table),
      );
      for (const [table, count] of tables) {
        run.printProgress(`reads: ${count} rows`);
        await fillSales(owner, table, count);
      }
      return [sectionOf(tables, await measured(readModels(database), tables, run))];
    } finally {
      await database.close();
      await owner.close();
    }
  });
}

/** The queries, by name; `deep` is a cursor in the middle of the table. */
function queriesOf({ columns }: PerspectiveTable, deep: string): ReadonlyMap<string, RowsQuery> {
  const columnOf = (name: string) => columns.filter((column) => column.name === name);
  const byTotal = columnOf('total').map((column) => ({ column, descending: true }));
  return new Map<string, RowsQuery>([
    ['page', whole],
    [
      'filter',
      {
        ...whole,
        filters: columnOf('total').map((column) => ({ column, operator: 'gte', values: ['500'] })),
      },
    ],
    [
      'equal',
      {
        ...whole,
        filters: columnOf('status').map((column) => ({ column, operator: 'eq', values: ['shipped'] })),
      },
    ],
    ['sort', { ...whole, sort: byTotal }],
    ['cursor', { ...whole, sort: byTotal, after: deep }],
  ]);
}

async function measured(models: ReadModels, tables: Tables, { rounds, signal }: SuiteRun) {
  const found = new Map<string, Figures[]>(tables.map(([, count]) => [nameOf(count), []]));
  const variants = await Promise.all(
    tables.map(async ([table, count]) => ({
      table,
      name: nameOf(count),
      queries: queriesOf(table, await deepCursor(models, table, count)),
    })),
  );
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    const times = new Map(variants.map(({ name }) => [name, new Map<string, number[]>()]));
    // In turn, so that whatever else the machine does slows down both.
    for (let at = 0; at < samples; at++)
      for (const { table, name, queries } of variants)
        for (const [query, asked] of queries) {
          const taken = await timeOf(() => models.page(table, asked));
          const list = times.get(name);
          list?.set(query, [...(list.get(query) ?? []), taken]);
        }
    for (const [name, lists] of times)
      found
        .get(name)
        ?.push(
          Object.fromEntries(Array.from(lists, ([query, list]) => [`${query} ms`, quantile(list, 0.5)])),
        );
  }
  return found;
}

async function deepCursor(models: ReadModels, table: PerspectiveTable, count: number): Promise<string> {
  const sort = table.columns.flatMap((column) =>
    column.name === 'total' ? [{ column, descending: true }] : [],
  );
  const { next = '' } = await models.page(table, {
    ...whole,
    sort,
    offset: Math.floor(count / 4),
    count: 'none',
  });
  return next;
}

const samples = 100;

async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await read();
  return performance.now() - began;
}

const nameOf = (count: number): string => `${count} rows`;

const figures = ['page ms', 'filter ms', 'equal ms', 'sort ms', 'cursor ms'];

function sectionOf(tables: Tables, rounds: Section['rounds']): Section {
  const [small = '', large = ''] = tables.map(([, count]) => nameOf(count));
  return {
    title: `reads: a page of 10 rows, of ${small} and of ${large}`,
    figures,
    baseline: small,
    rounds,
    targets: figures.map((figure) => ({ figure, of: large, against: small, atMost: 2 })),
    missing: [],
  };
}
