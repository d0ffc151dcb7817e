import { fileURLToPath } from 'node:url';
import { runChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { withFilledStores } from './filled-stores.js';
import { sizeFigures, sizesIn } from './sizes.js';

const reader = fileURLToPath(new URL('reader.js', import.meta.url));
const few = 1_000;
const many = [1_000_000, 10_000_000];
const defaultSamples = 40;
const samplesPerSecond = 20;

/** What reads cost in a store that has grown: what a page does not show must not make it slower. */
export function growth(run: SuiteRun): Promise<readonly Section[]> {
  const { records = Infinity, seconds } = run;
  const counts = [few, ...many.map((count) => scaled(count, run)).filter((count) => count <= records)];
  const samples = seconds === undefined ? defaultSamples : Math.ceil(seconds * samplesPerSecond);
  return withFilledStores(counts, run, async (urls) => {
    run.printProgress(`growth: ${run.rounds} rounds`);
    const variants = counts.map((count, index) => ({
      name: nameOf(count),
      measure: () => runChild<Figures>(reader, [urls[index] ?? '', String(count), String(samples)]),
    }));
    const rounds = await interleave(variants, run.rounds, run.signal);
    const sizes = new Map<string, readonly Figures[]>();
    for (const [index, count] of counts.entries())
      sizes.set(nameOf(count), [await sizesIn(urls[index] ?? '', count)]);
    return [searchSection(counts, rounds), sizeSection(sizes)];
  });
}

const nameOf = (count: number): string => `${count.toLocaleString('en')} commands`;

const figures = [
  'rare type ms',
  'user ms',
  'correlation ms',
  'no hits ms',
  'read model ms',
  'stream ms',
  'MB',
];

const searchSection = (counts: readonly number[], rounds: Section['rounds']): Section => ({
  title: 'growth: searches of the audit, a page of a read model and a stream of 40 events',
  figures,
  baseline: nameOf(few),
  rounds,
  targets: counts.slice(1).flatMap((count) =>
    figures.map((figure) => ({
      figure,
      of: nameOf(count),
      against: nameOf(few),
      atMost: figure === 'MB' ? 1.2 : 2,
    })),
  ),
  missing: [],
  notes: [
    'a command: its event and both audits; a row of the read model for each',
    'searches as the console makes them, until 50 hits or the end; each time for another user or id',
  ],
});

const sizeSection = (rounds: Section['rounds']): Section => ({
  title: 'growth: bytes of disk for each command, indexes included',
  figures: sizeFigures,
  baseline: nameOf(few),
  rounds,
  targets: [],
  missing: [],
  notes: ['an event with 290 bytes of JSON; a row of a read model with 230'],
});
