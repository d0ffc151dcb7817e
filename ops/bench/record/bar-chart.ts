import { figure } from '../harness/table.js';

/** Bars that are compared with each other, below a label. */
export interface BarGroup {
  readonly label: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly name: string;
  /** Null if it was not measured. */
  readonly value: number | null;
}

const [width, left, right, barHeight, labelHeight] = [720, 170, 90, 22, 24];

/** A horizontal bar chart as SVG; ours is the accented one. */
export function barChart(title: string, unit: string, groups: readonly BarGroup[]): string {
  const most = Math.max(
    ...groups.flatMap(({ bars }) => bars.map(({ value }) => value ?? 0)),
    Number.MIN_VALUE,
  );
  let y = 30;
  const lines: string[] = [];
  for (const { label, bars } of groups) {
    if (label !== '') lines.push(text(0, (y += labelHeight) - 8, label, ' font-weight="600"'));
    for (const bar of bars) lines.push(...barAt((y += barHeight) - barHeight, bar, unit, most));
  }
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 10}" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">`,
    `<title>${escaped(title)}</title>`,
    '<style>svg { color: #1f2328; } .ours { fill: #0f6b5c; } .other { fill: #8b949e; } @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } .ours { fill: #4fd1b5; } .other { fill: #6e7681; } }</style>',
    text(0, 16, title, ' font-size="13" font-weight="600"'),
    ...lines,
    '</svg>',
  ].join('\n')}\n`;
}

function barAt(y: number, { name, value }: Bar, unit: string, most: number): readonly string[] {
  const length = Math.max(1, Math.round(((width - left - right) * (value ?? 0)) / most));
  const kind = name.startsWith('ours') ? 'ours' : 'other';
  return [
    text(left - 8, y + 15, name, ' text-anchor="end"'),
    ...(value === null
      ? []
      : [`<rect class="${kind}" x="${left}" y="${y + 3}" width="${length}" height="16" rx="2"/>`]),
    text(
      left + (value === null ? 0 : length) + 6,
      y + 15,
      value === null ? 'not measured' : `${figure(value)} ${unit}`,
    ),
  ];
}

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more}>${escaped(content)}</text>`;

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
