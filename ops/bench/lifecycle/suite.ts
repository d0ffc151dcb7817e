import { fileURLToPath } from 'node:url';
import type { Target } from '../harness/targets.js';
import { runChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import { interleave, type Variant } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { subjects } from './subjects.js';

const script = fileURLToPath(new URL('child.js', import.meta.url));
const hugeNursery = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512'];

/** The lifecycle of one request in process: its cost beside the work itself. */
export async function lifecycle(run: SuiteRun): Promise<readonly Section[]> {
  const seconds = String(run.seconds ?? 0.5);
  run.printProgress(`lifecycle: ${run.rounds} rounds`);
  const variants = Object.keys(subjects).map((name) => variantOf(name, seconds));
  const rounds = await interleave(variants, run.rounds, run.signal);
  const figures = ['CPU µs', 'heap KB'];
  const title = 'lifecycle: one run in process';
  return [{ title, figures, baseline: 'plain async function', rounds, targets, missing: [] }];
}

const variantOf = (name: string, seconds: string): Variant => ({
  name,
  measure: async () => {
    const cpu = await runChild<{ value: number }>(script, ['cpu', name, seconds]);
    const heap = await runChild<{ value: number }>(script, ['heap', name], { flags: hugeNursery });
    return { 'CPU µs': cpu.value, 'heap KB': heap.value / 1024 };
  },
});

const targets: readonly Target[] = [
  ...['ours, no hooks', 'ours, all hooks'].flatMap((of) => [
    { figure: 'CPU µs', of, atMost: 12 },
    { figure: 'heap KB', of, atMost: 6 },
  ]),
  { figure: 'CPU µs', of: 'counting and recording alone', atMost: 1 },
];
