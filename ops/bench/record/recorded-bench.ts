import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../proof/recorded-runs.js';
import type { Missing, Section } from '../harness/report.js';
import { valuesOf } from '../harness/rounds.js';
import { type Spread, spreadOf } from '../harness/statistics.js';

/** A section as it is published: medians and quartiles of all rounds. */
export interface RecordedSection {
  readonly title: string;
  readonly figures: readonly string[];
  readonly rows: readonly RecordedRow[];
  readonly missing: readonly Missing[];
  readonly notes: readonly string[];
  readonly rounds: number;
  readonly measured: Measured;
}

interface RecordedRow {
  readonly variant: string;
  /** In the order of the figures; null if it was not measured. */
  readonly values: readonly (Spread | null)[];
}

/** When and where, without the name of the machine. */
interface Measured {
  readonly at: string;
  readonly commit: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  /** Of the machine in the minute before. */
  readonly load: number;
}

const file = join(repository, 'proof/benchmarks.json');

export const readBench = async (): Promise<readonly RecordedSection[]> =>
  JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as readonly RecordedSection[];

export const writeBench = (sections: readonly RecordedSection[]): Promise<void> =>
  writeFile(file, `${JSON.stringify(sections, undefined, 2)}\n`);

export const measuredHere = (commit: string): Measured => ({
  at: new Date().toISOString().slice(0, 10),
  commit,
  processor: cpus()[0]?.model ?? '',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  load: Number((loadavg()[0] ?? 0).toFixed(1)),
});

export const recordedSection = (section: Section, measured: Measured): RecordedSection => ({
  title: section.title,
  figures: section.figures,
  rows: Array.from(section.rounds.keys(), (variant) => ({
    variant,
    values: section.figures.map((figure) => spreadIn(valuesOf(section.rounds, variant, figure))),
  })),
  missing: section.missing,
  notes: section.notes ?? [],
  rounds: Math.max(0, ...Array.from(section.rounds.values(), ({ length }) => length)),
  measured,
});

function spreadIn(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const { median, p25, p75 } = spreadOf(values);
  return { median: short(median), p25: short(p25), p75: short(p75) };
}

const short = (value: number): number => Number(value.toPrecision(4));

/** The sections of a bench that was measured again replace all it had. */
export function withSections(
  recorded: readonly RecordedSection[],
  added: readonly RecordedSection[],
): readonly RecordedSection[] {
  const benches = new Set(added.map(benchOf));
  return [...recorded.filter((section) => !benches.has(benchOf(section))), ...added];
}

/** What its title begins with. */
const benchOf = ({ title }: RecordedSection): string => title.split(':', 1)[0] ?? '';
