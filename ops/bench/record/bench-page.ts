import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../../proof/recorded-runs.js';
import { figure } from '../harness/table.js';
import { barChart, type BarGroup } from './bar-chart.js';
import { readBench, type RecordedSection } from './recorded-bench.js';

const page = join(repository, 'docs/benchmarks.md');
const pictures = join(repository, 'docs/pictures');

/** A file of the documentation with what it must contain. */
interface Published {
  readonly file: string;
  readonly text: string;
}

/** The page with the tables of what is recorded, and its charts. */
export const publishedBench = async (): Promise<readonly Published[]> =>
  publishedIn(await readFile(page, 'utf8'), await readBench());

export async function publishBench(): Promise<void> {
  for (const { file, text } of await publishedBench()) await writeFile(file, text);
}

/** `<!-- bench: peers: a durable command, chart peers-command -->`: all sections whose title begins so. */
const block =
  /(?<head><!-- bench: (?<prefix>[^>]+), chart (?<chart>[a-z-]+) -->\n)[^]*?(?<tail><!-- end of bench -->)/g;

const busy = 'Other programs kept the machine busy: compare only the ratios, and only roughly.';

export const unmeasured = 'Not measured yet.';

export function publishedIn(text: string, recorded: readonly RecordedSection[]): readonly Published[] {
  const charts: Published[] = [];
  const filled = text.replaceAll(block, (...match) => {
    const { head, prefix, chart, tail } = match.at(-1) as Readonly<
      Record<'head' | 'prefix' | 'chart' | 'tail', string>
    >;
    const sections = recorded.filter(({ title }) => title.startsWith(prefix));
    if (sections.length === 0) return `${head}\n${unmeasured}\n\n${tail}`;
    charts.push({ file: join(pictures, `bench-${chart}.svg`), text: chartOf(sections, prefix) });
    return `${head}\n${shown(sections, prefix, chart)}\n${tail}`;
  });
  return [{ file: page, text: filled }, ...charts];
}

function shown(sections: readonly RecordedSection[], prefix: string, chart: string): string {
  const [first] = sections;
  if (first === undefined) return '';
  const { measured, rounds } = first;
  const where = `${measured.cores} cores (${measured.processor}), ${measured.memoryGb} GB, Node.js ${measured.node}, load ${measured.load}`;
  return [
    `![${prefix}](pictures/bench-${chart}.svg)`,
    '',
    ...tableOf(sections, prefix),
    '',
    `Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${measured.at}, commit \`${measured.commit}\`: ${where}.`,
    ...(measured.load > measured.cores ? [busy] : []),
    ...first.missing.map(({ variant, reason }) => `Not measured: ${variant} (${reason}).`),
    '',
    ...first.notes.map((note) => `- ${note}`),
    ...(first.notes.length === 0 ? [] : ['']),
  ].join('\n');
}

/** One section: a row for each variant. Several: a row for each, with the first and the last figure of each variant. */
function tableOf(sections: readonly RecordedSection[], prefix: string): readonly string[] {
  const [first, ...others] = sections;
  if (first === undefined) return [];
  if (others.length === 0)
    return aligned([
      ['', ...first.figures],
      ...first.rows.map(({ variant, values }) => [
        variant,
        ...values.map((spread) => figureOf(spread?.median)),
      ]),
    ]);
  const last = first.figures.length - 1;
  const heads = first.rows.flatMap(({ variant }) =>
    [0, last].map((at) => `${variant}, ${first.figures[at] ?? ''}`),
  );
  return aligned([
    ['', ...heads],
    ...sections.map(({ title, rows }) => [
      title.slice(prefix.length).trim(),
      ...rows.flatMap(({ values }) => [0, last].map((at) => figureOf(values[at]?.median))),
    ]),
  ]);
}

const figureOf = (value: number | undefined): string => figure(value ?? Number.NaN);

/** As the formatter of this repository writes a table. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_, at) => Math.max(3, ...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[], filler = ' '): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width, filler)).join(' | ')} |`;
  return [line(head), line([], '-'), ...body.map((row) => line(row))];
}

/** Sections side by side, or the times of one if it has nothing else. */
function chartOf(sections: readonly RecordedSection[], prefix: string): string {
  const [first] = sections;
  const times = first?.figures.filter((name) => name.endsWith(' ms')) ?? [];
  if (first !== undefined && sections.length === 1 && times.length > 3)
    return barChart(
      prefix,
      'ms',
      times.map((name) => groupOf(name.slice(0, -3), first, first.figures.indexOf(name))),
    );
  const groups = sections.map((section) => groupOf(section.title.slice(prefix.length).trim(), section, 0));
  const [unit = ''] = first?.figures ?? [];
  return sections.length === 1
    ? barChart(
        prefix,
        unit,
        groups.map((group) => ({ ...group, label: '' })),
      )
    : barChart(prefix, unit, groups);
}

const groupOf = (label: string, { rows }: RecordedSection, at: number): BarGroup => ({
  label,
  bars: rows.map(({ variant, values }) => ({ name: variant, value: values[at]?.median ?? null })),
});
