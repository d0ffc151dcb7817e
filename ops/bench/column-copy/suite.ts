import { applicationItems } from '../../../runtime/migrations/application-items.js';
import { tryToMigrate } from '../../../runtime/migrations/migrate.js';
import { query } from '../../../runtime/migrations/testing/migrations.js';
import { withWriters } from '../../../runtime/migrations/testing/writers.js';
import { withDatabases } from '../append/databases.js';
import type { Section } from '../report.js';
import type { Figures } from '../rounds.js';
import type { SuiteRun } from '../suite.js';

const rows = 1_000_000;
const writers = 8;
const header = '-- svc: column-copy table=orders column=total type=numeric(12,2) using=total / 100.0';

/** Gives a column of a million rows another type while eight connections write to it without a pause. */
export function columnCopy(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(1, async ([url = '']) => {
    run.tell(`column-copy: ${rows} rows, ${writers} writers`);
    await query(
      url,
      `CREATE TABLE orders (id serial PRIMARY KEY, total int NOT NULL DEFAULT 0, cents int, note text);
      INSERT INTO orders (total, cents, note) SELECT n, n, repeat('x', 100) FROM generate_series(1, ${rows}) n;
      CREATE INDEX by_total ON orders (total)`,
    );
    await query(url, 'VACUUM ANALYZE orders');
    return [sectionOf(await measure(url))];
  });
}

async function measure(url: string): Promise<Figures> {
  const application = applicationItems([{ name: 'total.sql', sql: header }]);
  await tryToMigrate({ ownerUrl: url });
  const began = performance.now();
  const { result, writes } = await withWriters(url, writers, () =>
    tryToMigrate({ ownerUrl: url, application }),
  );
  const seconds = (performance.now() - began) / 1_000;
  if (result.batch.failure !== undefined) throw result.batch.failure;
  const [differing] = await query(
    url,
    'SELECT count(*) FROM orders WHERE cents IS DISTINCT FROM (total * 100)::int',
  );
  return {
    seconds,
    writes: writes.before + writes.after,
    'failed writes': writes.failures.length,
    'longest wait ms': writes.longestMs,
    'rows that differ': Number(differing?.[0]),
  };
}

const sectionOf = (figures: Figures): Section => ({
  title: `column-copy: int to numeric(12,2), ${rows} rows, ${writers} writers`,
  figures: ['seconds', 'writes', 'failed writes', 'longest wait ms', 'rows that differ'],
  baseline: 'copy',
  rounds: new Map([['copy', [figures]]]),
  bars: [
    { figure: 'failed writes', of: 'copy', atMost: 0 },
    { figure: 'longest wait ms', of: 'copy', atMost: 200 },
    { figure: 'rows that differ', of: 'copy', atMost: 0 },
  ],
  missing: [],
});
