import { type Point, pointsOn } from './edge-curve.js';

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** An edge with its line, and the size of the text on it. */
interface Labelled {
  readonly points: readonly Point[];
  readonly label: Point;
  readonly size: { readonly width: number; readonly height: number };
}

/** Its own line may pass through the middle of a label: between the text and the number below it. */
const gap = 4;

const rows = [-2, -1.5, -1, 1, 1.5, 2];
const shifts = [-24, -12, 0, 12, 24];

/** Where each label covers no other line, label or state: where it was, or as near as possible on or beside its own line. */
export function placeLabels(edges: readonly Labelled[], states: readonly Box[]): readonly Point[] {
  const lines = edges.map(({ points }) => pointsOn(points));
  const boxes = edges.map(({ label, size }): Box => ({ ...size, ...label }));
  for (const [index, { label, size }] of edges.entries()) {
    const others = lines.flatMap((line, other) => (other === index ? [] : line));
    const line = lines[index] ?? [];
    const cover = (box: Box): number =>
      100 * boxes.filter((one, other) => other !== index && overlaps(box, one)).length +
      100 * states.filter((state) => overlaps(box, state)).length +
      others.filter((point) => isIn(box, point)).length;
    if (cover({ ...size, ...label }) === 0) continue;
    const cost = (place: Point): number => {
      const box = { ...size, ...place };
      const own = line.filter((point) => isIn(box, point) && Math.abs(point.y - box.y) > gap).length;
      return cover(box) + own / 4 + distance(place, label) / 1_000;
    };
    const beside = rows.flatMap((row) =>
      shifts.map((shift) => ({ x: label.x + shift, y: label.y + row * size.height })),
    );
    const places = [label, ...line, ...beside].map((place) => ({ place, cost: cost(place) }));
    const best = places.reduce((one, other) => (other.cost < one.cost ? other : one));
    boxes[index] = { ...size, ...best.place };
  }
  return boxes.map(({ x, y }) => ({ x, y }));
}

const isIn = ({ x, y, width, height }: Box, point: Point): boolean =>
  Math.abs(point.x - x) < width / 2 && Math.abs(point.y - y) < height / 2;

const overlaps = (one: Box, other: Box): boolean =>
  Math.abs(one.x - other.x) < (one.width + other.width) / 2 &&
  Math.abs(one.y - other.y) < (one.height + other.height) / 2;

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
