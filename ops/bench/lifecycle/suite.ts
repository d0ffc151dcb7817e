import { fileURLToPath } from 'node:url';
import type { Bar } from '../bars.js';
import { runChild } from '../child.js';
import type { Section } from '../report.js';
import { interleave } from '../rounds.js';
import type { SuiteRun } from '../suite.js';
import { subjects } from './subjects.js';

const script = fileURLToPath(new URL('child.js', import.meta.url));
const hugeNursery = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512'];

/** One request's life in process: what it costs beside the work it carries out. */
export async function lifecycle(run: SuiteRun): Promise<readonly Section[]> {
  const seconds = String(run.seconds ?? 0.5);
  run.tell(`lifecycle: ${run.rounds} rounds`);
  const variants = Object.keys(subjects).map((name) => ({
    name,
    measure: async () => {
      const cpu = await runChild<{ value: number }>(script, ['cpu', name, seconds]);
      const heap = await runChild<{ value: number }>(script, ['heap', name], { flags: hugeNursery });
      return { 'CPU µs': cpu.value, 'heap KB': heap.value / 1024 };
    },
  }));
  const rounds = await interleave(variants, run.rounds, run.signal);
  const figures = ['CPU µs', 'heap KB'];
  const title = 'lifecycle: one run in process';
  return [{ title, figures, baseline: 'plain async function', rounds, bars, missing: [] }];
}

const bars: readonly Bar[] = [
  ...['ours, no hooks', 'ours, all hooks'].flatMap((of) => [
    { figure: 'CPU µs', of, atMost: 12 },
    { figure: 'heap KB', of, atMost: 6 },
  ]),
  { figure: 'CPU µs', of: 'counting and remembering alone', atMost: 1 },
];
