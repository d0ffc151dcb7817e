import { fileURLToPath } from 'node:url';
import { newUuid } from '../../../contracts/uuid.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { sealSegments } from '../../../runtime/segments/seal-segments.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { execute } from '../../../runtime/kit/database.js';
import { useSegmentsOf } from '../../../runtime/testing/small-segments.js';
import { withDatabases } from '../harness/databases.js';
import { startWorker, type Worker } from '../append/worker-process.js';
import type { Section } from '../harness/report.js';
import { interleave, type Rounds } from '../harness/rounds.js';
import { workOf } from '../append/server-work.js';
import { scaled, type SuiteRun } from '../harness/suite.js';

const appendsPerSegment = 20;
const wholeSize = 2 ** 24;
const sealed = 10;
const segmentCounts = [1, sealed + 1];
const eventsPerAppend = 100;
const nameOf = (count: number): string => (count === 1 ? 'one segment' : `${sealed} sealed segments`);

/** Audited appends behind the same events in one segment, and in eleven of which ten are sealed. */
export function segments(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(segmentCounts.length, async (urls) => {
    run.printProgress('segments: filling');
    for (const [index, count] of segmentCounts.entries())
      await fill(urls[index] ?? '', count, eventsPerAppend * scaled(appendsPerSegment, run));
    const script = fileURLToPath(new URL('../audit/our-audited-log.js', import.meta.url));
    const workers = await Promise.all(urls.map((url) => startWorker(script, url)));
    try {
      const sections: Section[] = [];
      for (const callers of [1, 64]) {
        run.printProgress(`segments: ${callers} in flight, ${run.rounds} rounds`);
        sections.push(sectionOf(callers, await measureAll(run, callers, urls, workers)));
      }
      return sections;
    } finally {
      for (const worker of workers) await worker.close();
    }
  });
}

async function measureAll(
  run: SuiteRun,
  callers: number,
  urls: readonly string[],
  workers: readonly Worker[],
): Promise<Rounds> {
  const seconds = run.seconds ?? 1.5;
  const variants = workers.map((worker, index) => ({
    name: nameOf(segmentCounts[index] ?? 0),
    measure: async () => {
      const url = urls[index] ?? '';
      const before = await workOf(url);
      const { rate, p50, p99 } = await worker.measure({ callers, seconds });
      const after = await workOf(url);
      const cpu = ((after.seconds - before.seconds) * 1e6) / (after.records - before.records);
      return { 'appends/s': rate, 'server CPU µs': cpu, 'p50 ms': p50, 'p99 ms': p99 };
    },
  }));
  for (const { measure } of variants) await measure();
  return interleave(variants, run.rounds, run.signal);
}

/** As many events in one segment as in all but the last. */
async function fill(url: string, count: number, segmentSize: number): Promise<void> {
  await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
  const database = openDatabase({ url });
  const store = openPostgresStore(database, { host: 'bench' });
  try {
    const positions = (Math.max(...segmentCounts) - 1) * segmentSize;
    await useSegmentsOf(url, count === 1 ? wholeSize : segmentSize);
    for (let stored = 0; stored < positions; stored += eventsPerAppend) {
      // The last one is made when the one before it is begun, by the next append.
      if (count > 1 && stored === positions - segmentSize - eventsPerAppend)
        await execute(url, `UPDATE svc_store SET segment_size = ${wholeSize}`);
      await store.append(newUuid(), Array.from({ length: eventsPerAppend }, happened));
    }
    await sealSegments(database, { host: 'bench' });
    // As ten minutes after the sealing, when a sealed segment can no longer contain new ids.
    await execute(
      url,
      `UPDATE svc_segments SET ids_from = svc_first_id(prev_at); SELECT svc_show_open_segment(); ANALYZE; CHECKPOINT`,
    );
  } finally {
    await store.close();
    await database.close();
  }
}

const happened = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { note: 'x'.repeat(300) },
  timestamp: new Date().toISOString(),
  v: 1,
});

const sectionOf = (callers: number, rounds: Rounds): Section => ({
  title: `segments: audited appends behind the same events in one segment and in eleven, ${callers} in flight`,
  figures: ['appends/s', 'server CPU µs', 'p50 ms', 'p99 ms'],
  baseline: nameOf(1),
  rounds,
  targets: [{ figure: 'server CPU µs', of: nameOf(sealed + 1), against: nameOf(1), atMost: 1.1 }],
  missing: [],
});
