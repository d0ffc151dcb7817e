import { circles, only, wayBetween } from './cycles.js';
import { type Dependencies, dependenciesOf, type Reason, readsOf, type Versions } from './dependencies.js';
import type { Operation, Transaction } from './history.js';

/**
 * What must not happen under strict serializability, by the names that Adya and Elle use; with `-time` if the order of
 * the clients' clocks is needed to see it.
 */
export type AnomalyName =
  | 'duplicate'
  | 'never-appended'
  | 'incompatible-order'
  | 'internal'
  | 'lost-append'
  | 'lost-update'
  | 'G1a'
  | 'G1b'
  | Cycle
  | `${Cycle}-time`;
type Cycle = 'G0' | 'G1c' | 'G-single' | 'G2';

export interface Anomaly {
  readonly name: AnomalyName;
  readonly key?: number | undefined;
  /** The transactions that show it, by their index. */
  readonly transactions: readonly number[];
}

/** Checks a history against strict serializability. `stored` is the list of each key when all clients had ended. */
export function checkHistory(
  transactions: readonly Transaction[],
  stored: ReadonlyMap<number, readonly number[]>,
): readonly Anomaly[] {
  const writers = writersOf(transactions);
  const writerOf: Versions['writerOf'] = (key, value) => writers.get(nameOf(key, value))?.writer;
  const readAnomalies = checkReads(transactions, writers);
  const disorder = contradictions(transactions, stored);
  const found = [
    ...readAnomalies,
    ...checkStored(transactions, stored, writers),
    ...disorder,
    ...lostUpdates(transactions),
  ];
  // Without one order of versions, nobody can say what comes before what.
  if (disorder.length > 0) return found;
  return [...found, ...cyclesIn(dependenciesOf(transactions, { order: stored, writerOf }))];
}

interface Appended {
  readonly writer: number;
  /** Whether its transaction appended another value to the same key later. */
  readonly isIntermediate: boolean;
}

const nameOf = (key: number, value: number): string => `${key} ${value}`;

function writersOf(transactions: readonly Transaction[]): ReadonlyMap<string, Appended> {
  const writers = new Map<string, Appended>();
  for (const [writer, { operations }] of transactions.entries()) {
    const lastOf = new Map(appendsOf(operations).map(({ key, value }) => [key, value]));
    for (const { key, value } of appendsOf(operations))
      writers.set(nameOf(key, value), { writer, isIntermediate: lastOf.get(key) !== value });
  }
  return writers;
}

const appendsOf = (operations: readonly Operation[]) => operations.filter((each) => each.f === 'append');

function checkReads(
  transactions: readonly Transaction[],
  writers: ReadonlyMap<string, Appended>,
): readonly Anomaly[] {
  const found: Anomaly[] = [];
  for (const [reader, { end, operations }] of transactions.entries()) {
    if (end !== 'ok') continue;
    const expected = new Map<number, readonly number[]>();
    for (const operation of operations) {
      const { key } = operation;
      if (operation.f === 'append') {
        const before = expected.get(key);
        if (before !== undefined) expected.set(key, [...before, operation.value]);
        continue;
      }
      const list = operation.list ?? [];
      const note = (name: AnomalyName, writer?: number): void =>
        void found.push({ name, key, transactions: writer === undefined ? [reader] : [writer, reader] });
      const before = expected.get(key);
      if (before !== undefined && before.join() !== list.join()) note('internal');
      expected.set(key, list);
      if (new Set(list).size < list.length) note('duplicate');
      for (const [position, value] of list.entries()) {
        const appended = writers.get(nameOf(key, value));
        if (appended === undefined) note('never-appended');
        else if (transactions[appended.writer]?.end === 'fail') note('G1a', appended.writer);
        else if (position === list.length - 1 && appended.isIntermediate && appended.writer !== reader)
          note('G1b', appended.writer);
      }
    }
  }
  return found;
}

/** Lists that were read although the stored one does not begin like them. */
const contradictions = (
  transactions: readonly Transaction[],
  stored: ReadonlyMap<number, readonly number[]>,
): readonly Anomaly[] =>
  transactions.flatMap(({ end, operations }, reader) =>
    operations.flatMap((operation): readonly Anomaly[] => {
      if (end !== 'ok' || operation.f === 'append') return [];
      const { key, list = [] } = operation;
      const whole = stored.get(key) ?? [];
      const agrees = list.every((value, position) => whole[position] === value);
      return agrees ? [] : [{ name: 'incompatible-order', key, transactions: [reader] }];
    }),
  );

/** Everything acknowledged is stored, nothing that was refused, and nothing twice. */
function checkStored(
  transactions: readonly Transaction[],
  stored: ReadonlyMap<number, readonly number[]>,
  writers: ReadonlyMap<string, Appended>,
): readonly Anomaly[] {
  const found: Anomaly[] = [];
  for (const [key, list] of stored) {
    if (new Set(list).size < list.length) found.push({ name: 'duplicate', key, transactions: [] });
    for (const value of list) {
      const appended = writers.get(nameOf(key, value));
      if (appended === undefined) found.push({ name: 'never-appended', key, transactions: [] });
      else if (transactions[appended.writer]?.end === 'fail')
        found.push({ name: 'G1a', key, transactions: [appended.writer] });
    }
  }
  const values = new Map([...stored].map(([key, list]) => [key, new Set(list)]));
  for (const [index, { end, operations }] of transactions.entries())
    for (const { key, value } of end === 'ok' ? appendsOf(operations) : [])
      if (values.get(key)?.has(value) !== true)
        found.push({ name: 'lost-append', key, transactions: [index] });
  return found;
}

/** Two transactions that read the same version of a key and both appended to it. */
function lostUpdates(transactions: readonly Transaction[]): readonly Anomaly[] {
  const updaters = new Map<string, Set<number>>();
  for (const { reader, key, length } of readsOf(transactions)) {
    if (!appendsOf(transactions[reader]?.operations ?? []).some((append) => append.key === key)) continue;
    const version = nameOf(key, length);
    updaters.set(version, (updaters.get(version) ?? new Set()).add(reader));
  }
  return [...updaters]
    .filter(([, readers]) => readers.size > 1)
    .map(([version, readers]) => ({
      name: 'lost-update',
      key: Number(version.split(' ')[0]),
      transactions: [...readers],
    }));
}

/** One cycle for each circle of transactions, of the strongest kind that is in it. */
function cyclesIn(after: Dependencies): readonly Anomaly[] {
  const found: Anomaly[] = [];
  const known = new Set<number>();
  for (const suffix of ['', '-time'] as const) {
    const time: readonly Reason[] = suffix === '' ? [] : ['time'];
    for (const circle of circles(after, only('ww', 'wr', 'rw', ...time))) {
      if (circle.some((one) => known.has(one))) continue;
      for (const one of circle) known.add(one);
      const { name, way } = strongestIn(after, circle, time);
      found.push({ name: `${name}${suffix}`, transactions: way });
    }
  }
  return found;
}

function strongestIn(
  after: Dependencies,
  circle: readonly number[],
  time: readonly Reason[],
): { readonly name: Cycle; readonly way: readonly number[] } {
  const kinds = [
    { name: 'G0', closing: 'ww', way: only('ww', ...time) },
    { name: 'G1c', closing: 'wr', way: only('ww', 'wr', ...time) },
    { name: 'G-single', closing: 'rw', way: only('ww', 'wr', ...time) },
  ] as const;
  for (const { name, closing, way } of kinds)
    for (const from of circle)
      for (const [to, reasons] of after[from] ?? []) {
        if (!reasons.has(closing)) continue;
        const back = wayBetween(after, to, from, way);
        if (back !== undefined) return { name, way: back };
      }
  return { name: 'G2', way: circle };
}
