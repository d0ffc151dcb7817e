export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The control points of a Bézier curve from where the part before it ends, and its own end. */
type CurvePart = readonly Point[];

/** A smooth line that is level at each of its points; a line that turns back bends toward them instead. */
function partsOf(points: readonly Point[]): readonly CurvePart[] {
  const [start, ...rest] = points;
  if (start === undefined || rest.length === 0) return [];
  return isForward(points) ? levelParts(start, rest) : bentParts(start, rest);
}

export const isForward = (points: readonly Point[]): boolean =>
  points.every((point, index) => index === 0 || point.x >= (points[index - 1]?.x ?? 0));

const levelParts = (start: Point, rest: readonly Point[]): readonly CurvePart[] =>
  rest.map((point, index) => {
    const before = rest[index - 1] ?? start;
    const half = (before.x + point.x) / 2;
    return [{ x: half, y: before.y }, { x: half, y: point.y }, point];
  });

function bentParts(start: Point, rest: readonly Point[]): readonly CurvePart[] {
  const last = rest.at(-1) ?? start;
  const bends = rest.slice(0, -1);
  if (bends.length === 0) return [[last]];
  return bends.map((bend, index) => {
    const next = bends[index + 1];
    return [bend, next === undefined ? last : between(bend, next, 1 / 2)];
  });
}

const letters = ['', 'L', 'Q', 'C'];

export function pathOf(points: readonly Point[]): string {
  const [start] = points;
  const parts = partsOf(points);
  if (start === undefined || parts.length === 0) return '';
  const written = parts.map((part) => ` ${letters[part.length] ?? ''}${part.map(at).join(' ')}`);
  return `M${at(start)}${written.join('')}`;
}

const perPart = 10;

/** Points on the line, close to each other. */
export function pointsOn(points: readonly Point[]): readonly Point[] {
  const [start] = points;
  if (start === undefined) return [];
  let from = start;
  return partsOf(points).flatMap((part) => {
    const curve = [from, ...part];
    from = part.at(-1) ?? from;
    return Array.from({ length: perPart + 1 }, (_, n) => pointAt(curve, n / perPart));
  });
}

/** De Casteljau's algorithm. */
function pointAt(curve: readonly Point[], share: number): Point {
  const [first = { x: 0, y: 0 }, ...rest] = curve;
  if (rest.length === 0) return first;
  return pointAt(
    rest.map((point, index) => between(curve[index] ?? point, point, share)),
    share,
  );
}

const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
const between = (one: Point, other: Point, share: number): Point => ({
  x: one.x + (other.x - one.x) * share,
  y: one.y + (other.y - one.y) * share,
});
const round = (value: number): number => Math.round(value * 10) / 10;
