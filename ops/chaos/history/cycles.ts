import type { Dependencies, Reason } from './dependencies.js';

/** Whether the reasons of a step allow it in a search. */
type Allows = (reasons: ReadonlySet<Reason>) => boolean;

export const only =
  (...allowed: readonly Reason[]): Allows =>
  (reasons) =>
    allowed.some((reason) => reasons.has(reason));

const next = (after: Dependencies, from: number, allows: Allows): number[] =>
  [...(after[from] ?? [])].filter(([, reasons]) => allows(reasons)).map(([to]) => to);

/** Groups of transactions each of which comes before itself by way of the others (Tarjan's algorithm, without recursion). */
export function circles(after: Dependencies, allows: Allows): readonly (readonly number[])[] {
  const found: number[][] = [];
  const number = new Map<number, number>();
  const lowest = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const enter = (at: number) => {
    number.set(at, number.size);
    lowest.set(at, number.get(at) ?? 0);
    open.push(at);
    isOpen.add(at);
    return { at, others: next(after, at, allows) };
  };
  const lower = (at: number, to: number | undefined): void =>
    void lowest.set(at, Math.min(lowest.get(at) ?? 0, to ?? 0));
  for (const start of after.keys()) {
    if (number.has(start)) continue;
    const path = [enter(start)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { at, others } = step;
      const to = others.pop();
      if (to === undefined) {
        path.pop();
        const caller = path.at(-1);
        if (caller !== undefined) lower(caller.at, lowest.get(at));
        if (lowest.get(at) === number.get(at)) {
          const circle = open.splice(open.indexOf(at));
          for (const one of circle) isOpen.delete(one);
          if (circle.length > 1) found.push(circle);
        }
      } else if (!number.has(to)) path.push(enter(to));
      else if (isOpen.has(to)) lower(at, number.get(to));
    }
  }
  return found;
}

/** The shortest way between two transactions, both included. */
export function wayBetween(
  after: Dependencies,
  from: number,
  to: number,
  allows: Allows,
): readonly number[] | undefined {
  const cameFrom = new Map<number, number>();
  const waiting = [from];
  for (const at of waiting) {
    if (at === to) {
      const way = [to];
      for (let one = to; one !== from; way.unshift(one)) one = cameFrom.get(one) ?? from;
      return way;
    }
    for (const other of next(after, at, allows)) {
      if (other === from || cameFrom.has(other)) continue;
      cameFrom.set(other, at);
      waiting.push(other);
    }
  }
  return undefined;
}
