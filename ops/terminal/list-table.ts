import { printableLine } from '../../runtime/lang/printable.js';

/** A part of a line, and how a terminal shows it. */
export interface Styled {
  readonly text: string;
  readonly style?: 'head' | 'good' | 'warn' | 'bad' | undefined;
}

/** What a list holds, one line each below the names of their columns; columns without a value are left out. */
export function listTable(rows: readonly object[]): readonly Styled[] {
  const all = rows.map((row) => new Map(Object.entries(row).map(([name, value]) => [name, cellOf(value)])));
  const names = [...new Set(all.flatMap((row) => [...row.keys()]))];
  const columns = names
    .filter((name) => all.some((row) => row.get(name)))
    // An error may be long: nothing is behind it.
    .toSorted((one, other) => Number(isLong(one)) - Number(isLong(other)))
    .map((name) => ({ name, head: headOf(name), width: widthOf(name, all) }));
  const line = (cells: readonly Styled[]): readonly Styled[] =>
    cells.flatMap(({ text, style }, index) => [
      { text, style },
      {
        text: index === cells.length - 1 ? '\n' : ' '.repeat((columns[index]?.width ?? 0) + 2 - text.length),
      },
    ]);
  return [
    line(columns.map(({ head }) => ({ text: head, style: 'head' as const }))),
    ...all.map((row) =>
      line(columns.map(({ name }) => ({ text: row.get(name) ?? '', style: styleOf(name, row.get(name)) }))),
    ),
  ].flat();
}

const isLong = (name: string): boolean => /error|detail/i.test(name);

const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return printableLine(typeof value === 'string' ? value : JSON.stringify(value));
};

const headOf = (name: string): string => name.replaceAll(/(?=[A-Z])/g, ' ').toUpperCase();

const widthOf = (name: string, rows: readonly ReadonlyMap<string, string>[]): number =>
  rows.reduce((most, row) => Math.max(most, (row.get(name) ?? '').length), headOf(name).length);

const styles: readonly (readonly [style: NonNullable<Styled['style']>, states: RegExp])[] = [
  ['good', /^(live|running|on|trusted|healthy|completed|released)$/i],
  ['warn', /^(parked|retrying|catchingUp|rebuilding|waiting|incomplete|replaying|orphan|degraded)$/i],
  ['bad', /^(failed|stopped|dead|revoked|unhealthy)$/i],
];

const styleOf = (name: string, value = ''): Styled['style'] =>
  name === 'state' || name === 'status' ? styles.find(([, states]) => states.test(value))?.[0] : undefined;
