import { fileURLToPath } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import { connect } from '../../../runtime/database/connect.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { withDatabases } from '../harness/databases.js';
import { startWorker } from '../append/worker-process.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { workOf } from '../append/server-work.js';
import type { SuiteRun } from '../harness/suite.js';

const fewRecords = 1000;
const recordsPerCommit = 10_000;
const nameOf = (records: number): string => `behind ${records} records`;

/**
 * The cost of an audited append at the end of a short and of a long system stream, and the speed of verifying the long
 * one.
 */
export function growth(run: SuiteRun, records: number): Promise<readonly Section[]> {
  const lengths = [fewRecords, records];
  return withDatabases(lengths.length, async (urls) => {
    run.printProgress(`audit: filling ${records} records`);
    for (const [index, length] of lengths.entries()) await fill(urls[index] ?? '', length);
    const verified = await verifyRounds(run, urls.at(-1) ?? '');
    run.printProgress(`audit: appending, ${run.rounds} rounds`);
    const script = fileURLToPath(new URL('our-audited-log.js', import.meta.url));
    const workers = await Promise.all(urls.map((url) => startWorker(script, url)));
    try {
      const variants = workers.map((worker, index) => ({
        name: nameOf(lengths[index] ?? 0),
        measure: async () => {
          const url = urls[index] ?? '';
          const seconds = run.seconds ?? 3;
          const before = await workOf(url);
          const { rate, p50, p99 } = await worker.measure({ callers: 64, seconds });
          const after = await workOf(url);
          const cpu = ((after.seconds - before.seconds) * 1e6) / (after.records - before.records);
          return { 'appends/s': rate, 'server CPU µs': cpu, 'p50 ms': p50, 'p99 ms': p99 };
        },
      }));
      for (const { measure } of variants) await measure();
      const rounds = await interleave(variants, run.rounds, run.signal);
      return [appendSection(rounds, records), verifySection(verified, records)];
    } finally {
      for (const worker of workers) await worker.close();
    }
  });
}

/** Uses the commit procedure, so that the chain is a real one; only the bodies are made in the database. */
async function fill(url: string, records: number): Promise<void> {
  await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
  const client = await connect(url);
  try {
    for (let from = 0; from < records; from += recordsPerCommit)
      await client.query(fillText(from + 1, Math.min(records, from + recordsPerCommit)));
    await client.query('VACUUM ANALYZE svc_system_events');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

const fillText = (from: number, to: number): string => `DO $$
DECLARE
  ids uuid[]; types text[]; bodies text[]; metas text[]; publish boolean[]; about int[];
BEGIN
  SELECT array_agg(('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid), array_agg('EventAudited'::text),
      array_agg(b), array_agg('{"v":1}'::text), array_agg(false), array_agg(0)
    INTO ids, types, bodies, metas, publish, about
    FROM generate_series(${from}, ${to}) n,
      LATERAL (SELECT format('{"originalEventType":"OrderCreated","originalBody":{"number":%s,"note":"%s"}}', n, repeat('x', 300)) b) made;
  PERFORM svc_append('01900000-0000-7000-8000-000000000000', ${from}, 'fill', '{}', '{0}', '{0}', ARRAY[${to - from + 1}],
    '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
    ids, types, bodies, metas, publish, about, NULL);
END $$`;

async function verifyRounds(run: SuiteRun, url: string): Promise<readonly Figures[]> {
  const database = openDatabase({ url });
  const found: Figures[] = [];
  try {
    for (let round = 0; round < run.rounds; round++) {
      run.signal.throwIfAborted();
      const started = performance.now();
      const { ok, records } = await verifyChain(database);
      if (!ok) throw new Problem('unexpected', { detail: `The chain breaks at ${records + 1}.` });
      found.push({ 'records/s': (records * 1000) / (performance.now() - started) });
    }
    return found;
  } finally {
    await database.close();
  }
}

const appendSection = (rounds: Section['rounds'], records: number): Section => ({
  title: 'audit: appends at the end of a short and of a long system stream, 64 in flight',
  figures: ['appends/s', 'server CPU µs', 'p50 ms', 'p99 ms'],
  baseline: nameOf(fewRecords),
  rounds,
  targets: [
    { figure: 'server CPU µs', of: nameOf(records), against: nameOf(fewRecords), atMost: 1.15 },
    { figure: 'appends/s', of: nameOf(records), against: nameOf(fewRecords), atLeast: 0.85 },
  ],
  missing: [],
});

const verifySection = (found: readonly Figures[], records: number): Section => ({
  title: `audit: verifying a chain of ${records} records`,
  figures: ['records/s'],
  baseline: 'verify',
  rounds: new Map([['verify', found]]),
  targets: [{ figure: 'records/s', of: 'verify', atLeast: 80_000 }],
  missing: [],
});
