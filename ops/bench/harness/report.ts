import { type Target, evaluate, type Verdict } from './targets.js';
import { type Figures, type Rounds, valuesOf } from './rounds.js';
import { pairedRatios, type Spread, spreadOf } from './statistics.js';
import { figure, tableLines } from './table.js';

/** A variant that could not be measured, and why. */
export interface Missing {
  readonly variant: string;
  readonly reason: string;
}

/** One table: variants side by side, each compared with the first figure of the baseline. */
export interface Section {
  readonly title: string;
  readonly figures: readonly string[];
  readonly baseline: string;
  readonly rounds: Rounds;
  readonly targets: readonly Target[];
  readonly missing: readonly Missing[];
  /** What a reader must know to compare the variants. */
  readonly notes?: readonly string[];
}

export function sectionLines(section: Section): string[] {
  const { title, figures, baseline, targets, missing, notes = [] } = section;
  const head = ['variant', ...figures, `${figures[0] ?? ''} of ${baseline}`];
  const rows = rowsOf(section).map((row) => [
    row.variant,
    ...row.figures.map(spreadText),
    spreadText(row.ratio),
  ]);
  return [
    title,
    '',
    ...tableLines(head, rows),
    '',
    ...targets.map((bar) => verdictLine(evaluate(bar, section.rounds))),
    ...missing.map(({ variant, reason }) => `not measured: ${variant} (${reason})`),
    ...notes.map((note) => `note: ${note}`),
    '',
  ];
}

/** Whether everything was measured and no figure is below its bar; what was left out by choice does not count. */
export const meetsTargets = ({ targets, rounds, missing }: Section): boolean =>
  targets.every((bar) => evaluate(bar, rounds).verdict === 'pass') &&
  missing.every(({ reason }) => reason === '--alone');

/** What `--json` prints of a section. */
export interface SectionJson extends Omit<Section, 'rounds' | 'targets'> {
  readonly rounds: Readonly<Record<string, readonly Figures[]>>;
}

/** As JSON: the figures of every round, and the verdicts. */
export function sectionJson(section: Section): SectionJson & { rows: object[]; bars: readonly Verdict[] } {
  const { title, figures, baseline, rounds, targets, missing, notes = [] } = section;
  return {
    title,
    figures,
    baseline,
    rounds: Object.fromEntries(rounds),
    rows: rowsOf(section).map(({ variant, ratio }) => ({ variant, ratio })),
    bars: targets.map((bar) => evaluate(bar, rounds)),
    missing,
    notes,
  };
}

interface Row {
  readonly variant: string;
  readonly figures: readonly Spread[];
  readonly ratio: Spread;
}

function rowsOf({ figures, baseline, rounds }: Section): Row[] {
  const [first = ''] = figures;
  const base = valuesOf(rounds, baseline, first);
  return Array.from(rounds.keys(), (variant) => ({
    variant,
    figures: figures.map((name) => spreadOf(valuesOf(rounds, variant, name))),
    ratio: spreadOf(pairedRatios(valuesOf(rounds, variant, first), base)),
  }));
}

const spreadText = ({ median, p25, p75 }: Spread): string =>
  Number.isNaN(median) ? figure(median) : `${figure(median)} [${figure(p25)}–${figure(p75)}]`;

function verdictLine({ bar, verdict, ...spread }: Verdict): string {
  const against = bar.against === undefined ? '' : ` / ${bar.against}`;
  const required = bar.atLeast === undefined ? `≤ ${bar.atMost ?? ''}` : `≥ ${bar.atLeast}`;
  const aim = bar.aim === undefined ? '' : `, aim ${bar.aim}`;
  return `${verdict.padEnd(5)} ${bar.figure}: ${bar.of}${against} = ${spreadText(spread)}, required ${required}${aim}`;
}
