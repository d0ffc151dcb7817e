import { type Characters, overlap, type Part } from './parse-pattern.js';

/** A character of a pattern, and what may follow it: once for each way to get there. */
export interface Position {
  readonly part: Part | undefined;
  readonly characters: Characters;
  readonly next: Position[];
}

interface Piece {
  readonly first: readonly Position[];
  readonly last: readonly Position[];
  readonly isNullable: boolean;
}

/** The positions of a pattern, the start first. */
export function positionsOf(
  alternatives: readonly (readonly Part[])[],
  repeats: (part: Part) => boolean,
): readonly Position[] {
  const start: Position = { part: undefined, characters: new Set(), next: [] };
  const all = [start];
  const connect = (from: readonly Position[], to: readonly Position[]): void => {
    for (const { next } of from) next.push(...to);
  };
  const atom = (part: Part): Piece => {
    const inner = part.characters === undefined ? choice(part.group ?? []) : single(part, part.characters);
    if (repeats(part)) connect(inner.last, inner.first);
    return { ...inner, isNullable: inner.isNullable || part.min === 0 };
  };
  const single = (part: Part, characters: Characters): Piece => {
    const position = { part, characters, next: [] };
    all.push(position);
    return { first: [position], last: [position], isNullable: false };
  };
  const choice = (pieces: readonly (readonly Part[])[]): Piece => {
    const each = pieces.map(sequence);
    return {
      first: each.flatMap(({ first }) => first),
      last: each.flatMap(({ last }) => last),
      isNullable: each.some(({ isNullable }) => isNullable),
    };
  };
  const sequence = (parts: readonly Part[]): Piece =>
    parts.map(atom).reduce<Piece>(
      (left, right) => {
        connect(left.last, right.first);
        return {
          first: left.isNullable ? [...left.first, ...right.first] : left.first,
          last: right.isNullable ? [...left.last, ...right.last] : right.last,
          isNullable: left.isNullable && right.isNullable,
        };
      },
      { first: [], last: [], isNullable: true },
    );
  connect([start], choice(alternatives).first);
  return all;
}

/** The pairs of ways to continue on the same character. */
export function* conflictsAt({ next }: Position): Generator<readonly [Position, Position]> {
  for (const [index, one] of next.entries())
    for (const other of next.slice(index + 1)) if (mayMeet(one, other)) yield [one, other];
}

const mayMeet = (one: Position, other: Position): boolean =>
  one === other || overlap(one.characters, other.characters);

/** Comparisons that take about a second. */
const maxPairs = 5_000_000;

/** Whether comparing every pair of ways to continue takes too long. */
export const isLarge = (positions: readonly Position[]): boolean =>
  positions.reduce((sum, { next }) => sum + next.length ** 2, 0) > maxPairs;

/**
 * Whether two ways through a repetition can match one text: the number of ways then grows exponentially. That is so when
 * two ways that part inside a repetition meet again inside it.
 */
export function isAmbiguous(positions: readonly Position[]): boolean {
  if (isLarge(positions)) return true;
  const loops = loopsOf(positions);
  let pairs = 0;
  for (const origin of positions) {
    const isInside = (each: Position): boolean => loops.get(each) === loops.get(origin);
    const open = [...conflictsAt(origin)].filter((pair) => pair.every(isInside));
    const seen = new Map<Position, Set<Position>>();
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [one, other] = pair;
      if (one === other) return true;
      const others = seen.get(one) ?? new Set();
      if (others.has(other)) continue;
      seen.set(one, others.add(other));
      for (const a of one.next.filter(isInside))
        for (const b of other.next.filter(isInside)) {
          if (++pairs > maxPairs) return true;
          if (mayMeet(a, b)) open.push([a, b]);
        }
    }
  }
  return false;
}

/** The loop that each position belongs to, by Tarjan's algorithm: positions of one loop lead to each other. */
function loopsOf(positions: readonly Position[]): ReadonlyMap<Position, number> {
  const loops = new Map<Position, number>();
  const entered = new Map<Position, number>();
  const stack: Position[] = [];
  const visit = (position: Position): number => {
    const number = entered.size;
    entered.set(position, number);
    stack.push(position);
    let lowest = number;
    for (const next of position.next)
      if (!entered.has(next)) lowest = Math.min(lowest, visit(next));
      else if (!loops.has(next)) lowest = Math.min(lowest, entered.get(next) ?? lowest);
    if (lowest === number)
      for (let last = stack.pop(); last !== undefined; last = last === position ? undefined : stack.pop())
        loops.set(last, number);
    return lowest;
  };
  for (const position of positions) if (!entered.has(position)) visit(position);
  return loops;
}
