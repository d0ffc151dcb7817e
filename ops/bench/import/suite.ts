import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openOwner } from '../../../runtime/database/schema-owner.js';
import { importEvents } from '../../../runtime/imports/import-events.js';
import { readEvents } from '../../../runtime/imports/read-events.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { testRecorder } from '../../../runtime/testing/small-segments.js';
import { startWorker, type Worker } from '../append/worker-process.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { interleave, type Variant } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { writeHistory } from './history-file.js';

const historyEvents = 200_000;
const callers = 4;

/** Imports into empty stores, and into one whose hosts append audited events meanwhile. */
export const imports = (run: SuiteRun): Promise<readonly Section[]> =>
  withFolder((folder) =>
    withDatabases(run.rounds + 1, async ([busy = '', ...empty]) => {
      for (const url of [busy, ...empty])
        await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
      return [await emptyStores(run, folder, empty), await besideAppends(run, folder, busy)];
    }),
  );

async function emptyStores(run: SuiteRun, folder: string, urls: readonly string[]): Promise<Section> {
  run.printProgress(`import: into an empty store, ${run.rounds} rounds`);
  const left = [...urls];
  const measure = async () => {
    const file = await newHistory(folder, run);
    return { 'events/s': await importFile(left.pop() ?? '', file) };
  };
  return {
    title: `import: ${scaled(historyEvents, run)} events into an empty store`,
    figures: ['events/s'],
    baseline: 'import',
    rounds: await interleave([{ name: 'import', measure }], run.rounds, run.signal),
    targets: [{ figure: 'events/s', of: 'import', atLeast: 50_000 }],
    missing: [],
  };
}

async function besideAppends(run: SuiteRun, folder: string, url: string): Promise<Section> {
  run.printProgress(`import: beside audited appends, ${callers} in flight, ${run.rounds} rounds`);
  const worker = await startWorker(
    fileURLToPath(new URL('../audit/our-audited-log.js', import.meta.url)),
    url,
  );
  try {
    const variants: readonly Variant[] = [
      { name: 'appends alone', measure: async () => figuresOf(await appends(worker, run), 0) },
      {
        name: 'beside an import',
        measure: async () => {
          const file = await newHistory(folder, run);
          const stop = new AbortController();
          const importing = importFile(url, file, stop.signal);
          const measured = await appends(worker, run);
          stop.abort();
          return figuresOf(measured, await importing);
        },
      },
    ];
    await appends(worker, run);
    return {
      title: `import: beside audited appends, ${callers} in flight`,
      figures: ['p99 ms', 'p50 ms', 'appends/s', 'imported/s'],
      baseline: 'appends alone',
      rounds: await interleave(variants, run.rounds, run.signal),
      targets: [
        { figure: 'p99 ms', of: 'beside an import', against: 'appends alone', atMost: 2 },
        { figure: 'imported/s', of: 'beside an import', atLeast: 20_000 },
      ],
      missing: [],
    };
  } finally {
    await worker.close();
  }
}

type Throughput = Awaited<ReturnType<Worker['measure']>>;

const appends = (worker: Worker, { seconds = 3 }: SuiteRun): Promise<Throughput> =>
  worker.measure({ callers, seconds });

const figuresOf = ({ rate, p50, p99 }: Throughput, imported: number) => ({
  'p99 ms': p99,
  'p50 ms': p50,
  'appends/s': rate,
  'imported/s': imported,
});

let histories = 0;

async function newHistory(folder: string, run: SuiteRun): Promise<string> {
  const file = join(folder, `${++histories}.ndjson`);
  await writeHistory(file, scaled(historyEvents, run));
  return file;
}

/** Events per second, until the end of the file or an abort. */
async function importFile(url: string, file: string, signal?: AbortSignal): Promise<number> {
  const owner = openOwner(url, 'bench-import');
  const input = createReadStream(file, { highWaterMark: 256 * 1024 });
  const from = performance.now();
  try {
    const { imported } = await importEvents(owner, until(readEvents(input, Date.now()), signal), {
      recorder: testRecorder,
      actor: 'bench',
      publish: false,
    });
    return (imported * 1000) / (performance.now() - from);
  } finally {
    input.destroy();
    await owner.close();
    await rm(file);
  }
}

async function* until<T>(items: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const item of items) {
    if (signal?.aborted === true) return;
    yield item;
  }
}
