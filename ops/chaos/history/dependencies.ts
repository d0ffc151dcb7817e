import type { Transaction } from './history.js';

/**
 * Why one transaction comes before another: `ww` it wrote the version before the other's, `wr` the other read what it
 * wrote, `rw` it read the version that the other's replaced, `time` it had ended before the other began.
 */
export type Reason = 'ww' | 'wr' | 'rw' | 'time';

/** For each transaction, by its index, those that come after it and why. */
export type Dependencies = readonly ReadonlyMap<number, ReadonlySet<Reason>>[];

/** A version of a list that a transaction read before it appended to it: how many values it had. */
interface Read {
  readonly reader: number;
  readonly key: number;
  readonly length: number;
}

/** The values of each key in the order in which they were stored, and who appended them. */
export interface Versions {
  readonly order: ReadonlyMap<number, readonly number[]>;
  readonly writerOf: (key: number, value: number) => number | undefined;
}

export function dependenciesOf(
  transactions: readonly Transaction[],
  { order, writerOf }: Versions,
): Dependencies {
  const after: Map<number, Set<Reason>>[] = transactions.map(() => new Map());
  const add = (from: number | undefined, to: number | undefined, reason: Reason): void => {
    if (from === undefined || to === undefined || from === to) return;
    const reasons = after[from]?.get(to);
    if (reasons === undefined) after[from]?.set(to, new Set([reason]));
    else reasons.add(reason);
  };
  const writerAt = (key: number, position: number): number | undefined => {
    const value = order.get(key)?.[position];
    return value === undefined ? undefined : writerOf(key, value);
  };
  for (const [key, values] of order)
    for (const position of values.keys()) add(writerAt(key, position - 1), writerAt(key, position), 'ww');
  for (const { reader, key, length } of readsOf(transactions)) {
    add(writerAt(key, length - 1), reader, 'wr');
    add(reader, writerAt(key, length), 'rw');
  }
  addTimes(transactions, (from, to) => add(from, to, 'time'));
  return after;
}

/** What acknowledged transactions read; values that they had appended themselves before do not count. */
export function readsOf(transactions: readonly Transaction[]): readonly Read[] {
  return transactions.flatMap(({ end, operations }, reader) => {
    if (end !== 'ok') return [];
    const own = new Map<number, number>();
    return operations.flatMap((operation): Read[] => {
      const { f, key } = operation;
      if (f === 'append') own.set(key, (own.get(key) ?? 0) + 1);
      if (f === 'append' || operation.list === undefined) return [];
      return [{ reader, key, length: operation.list.length - (own.get(key) ?? 0) }];
    });
  });
}

/** Only the latest that had ended are kept: what ended before those began comes before them already. */
function addTimes(transactions: readonly Transaction[], add: (from: number, to: number) => void): void {
  const moments = transactions
    .flatMap(({ invoked, ended, end }, index) => [
      { at: invoked, index, begins: true },
      ...(end === 'info' ? [] : [{ at: ended, index, begins: false }]),
    ])
    .sort((one, other) => one.at - other.at);
  let latest = new Set<number>();
  const before = new Map<number, ReadonlySet<number>>();
  for (const { index, begins } of moments) {
    if (begins) {
      before.set(index, new Set(latest));
      for (const from of latest) add(from, index);
    } else {
      const passed = before.get(index);
      latest = new Set([...latest].filter((one) => passed?.has(one) !== true)).add(index);
    }
  }
}
