import { setTimeout as sleep } from 'node:timers/promises';
import { applicationItems } from '../../../runtime/migrations/application-migrations.js';
import { tryToMigrate } from '../../../runtime/migrations/migrate.js';
import { watchLockWaits } from '../../../runtime/migrations/testing/lock-waits.js';
import { query } from '../../../runtime/migrations/testing/migrations.js';
import { withWriters } from '../../../runtime/migrations/testing/write-during-migration.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import type { Figures } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';

const writers = 8;
const aloneMs = 20_000;
const header = '-- svc: column-copy table=orders column=total type=numeric(12,2) using=total / 100.0';

/** Changes the type of a column of a million rows while eight connections write to it without a pause. */
export function columnCopy(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(1, async ([url = '']) => {
    const rows = scaled(1_000_000, run);
    run.printProgress(`column-copy: ${rows} rows, ${writers} writers`);
    await query(
      url,
      `CREATE TABLE orders (id serial PRIMARY KEY, total int NOT NULL DEFAULT 0, cents int, note text);
      INSERT INTO orders (total, cents, note) SELECT n, n, repeat('x', 100) FROM generate_series(1, ${rows}) n;
      CREATE INDEX by_total ON orders (total)`,
    );
    await query(url, 'VACUUM ANALYZE orders');
    await tryToMigrate({ ownerUrl: url });
    const alone = await alike(url, () => sleep(scaled(aloneMs, run)));
    const copy = await alike(url, async () => {
      const application = applicationItems([{ name: 'total.sql', sql: header }]);
      const { batch } = await tryToMigrate({ ownerUrl: url, application });
      if (batch.failure !== undefined) throw batch.failure;
    });
    return [sectionOf(rows, alone, { ...copy, 'rows that differ': await differing(url) })];
  });
}

/** The writers and their lock waits, during a copy or without one. */
async function alike(url: string, body: () => Promise<unknown>): Promise<Figures> {
  const began = performance.now();
  const { result, longestMs } = await watchLockWaits(url, 'svc-migrate', () =>
    withWriters(url, writers, body),
  );
  const { before, after, failures, longestMs: slowest } = result.writes;
  return {
    seconds: (performance.now() - began) / 1_000,
    writes: before + after,
    'failed writes': failures.length,
    'longest lock ms': longestMs,
    'slowest write ms': slowest,
  };
}

async function differing(url: string): Promise<number> {
  const text = 'SELECT count(*) FROM orders WHERE cents IS DISTINCT FROM (total * 100)::int';
  const [row] = await query(url, text);
  return Number(row?.[0]);
}

const sectionOf = (rows: number, alone: Figures, copy: Figures): Section => ({
  title: `column-copy: int to numeric(12,2), ${rows} rows, ${writers} writers`,
  figures: ['seconds', 'writes', 'failed writes', 'longest lock ms', 'slowest write ms', 'rows that differ'],
  baseline: 'writers alone',
  rounds: new Map([
    ['writers alone', [alone]],
    ['copy', [copy]],
  ]),
  targets: [
    { figure: 'failed writes', of: 'copy', atMost: 0 },
    { figure: 'longest lock ms', of: 'copy', atMost: 200 },
    { figure: 'rows that differ', of: 'copy', atMost: 0 },
  ],
  missing: [],
});
