import { Graph, layout as arrange } from '@dagrejs/dagre';
import { isForward, type Point } from './edge-curve.js';
import { placeLabels } from './place-labels.js';
import type { Chart, ChartEdge, ChartState } from './statechart.js';

/** A state with its position; `x` and `y` are its center. */
export interface PlacedState extends Point {
  readonly state: ChartState;
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge {
  readonly edge: ChartEdge;
  readonly points: readonly Point[];
  readonly label: Point;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Outer states come before inner ones. */
  readonly states: readonly PlacedState[];
  readonly edges: readonly PlacedEdge[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Sizes {
  state(state: ChartState): Size;
  label(edge: ChartEdge): Size;
  /** What a label covers, where the layout leaves less for it. */
  text?(edge: ChartEdge): Size;
  /** How straight the edge should be. */
  weight(edge: ChartEdge): number;
}

const margin = 16;
const titleHeight = 30;

/**
 * Each compound state is laid out on its own and then placed among its siblings as one box: dagre's own compound mode
 * fails on transitions that leave a compound state, and every statechart has some.
 */
export function layoutOf(chart: Chart, sizes: Sizes): Layout {
  const { states, edges, ...size } = layOut(chart.states, chart.edges, sizes);
  const labels = placeLabels(
    edges.map((placed) => ({ ...placed, size: sizes.text?.(placed.edge) ?? sizes.label(placed.edge) })),
    // A transition within a compound state has its label in it.
    states.filter(({ state }) => state.children.length === 0),
  );
  return {
    ...size,
    states,
    edges: edges.map((edge, index) => ({ ...edge, label: labels[index] ?? edge.label })),
  };
}

function layOut(siblings: readonly ChartState[], edges: readonly ChartEdge[], sizes: Sizes): Layout {
  const inner = new Map(
    siblings
      .filter(({ children }) => children.length > 0)
      .map((state) => [state.id, layOut(state.children, edgesWithin(state, edges), sizes)]),
  );
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 20, edgesep: 14, ranksep: 10, marginx: margin, marginy: margin });
  for (const state of siblings) graph.setNode(state.id, { ...boxOf(state, inner.get(state.id), sizes) });
  const lifted = edges.flatMap((edge) => liftEdge(edge, siblings));
  for (const { edge, from, to } of lifted)
    graph.setEdge(from, to, { ...sizes.label(edge), labelpos: 'c', weight: sizes.weight(edge) }, edge.id);
  arrange(graph);
  return readLayout(graph, siblings, lifted, inner);
}

interface Lifted {
  readonly edge: ChartEdge;
  readonly from: string;
  readonly to: string;
}

/**
 * An edge between the siblings that contain its ends; an edge inside one sibling belongs to the layout of that sibling.
 */
function liftEdge(edge: ChartEdge, siblings: readonly ChartState[]): Lifted[] {
  const from = siblings.find((state) => holds(state, edge.from));
  const to = siblings.find((state) => holds(state, edge.to));
  if (from === undefined || to === undefined) return [];
  const isInside = from === to && edge.from !== from.id && edge.to !== from.id;
  return isInside ? [] : [{ edge, from: from.id, to: to.id }];
}

const holds = ({ id, children }: ChartState, wanted: string): boolean =>
  id === wanted || children.some((child) => holds(child, wanted));

const edgesWithin = (state: ChartState, edges: readonly ChartEdge[]): ChartEdge[] =>
  edges.filter(
    ({ from, to }) => from !== state.id && to !== state.id && holds(state, from) && holds(state, to),
  );

function boxOf(state: ChartState, inner: Layout | undefined, sizes: Sizes): Size {
  const own = sizes.state(state);
  if (inner === undefined) return own;
  return { width: Math.max(own.width, inner.width), height: inner.height + titleHeight };
}

interface ArrangedBox extends Point, Size {}

function readLayout(
  graph: Graph,
  siblings: readonly ChartState[],
  lifted: readonly Lifted[],
  inner: ReadonlyMap<string, Layout>,
): Layout {
  const states: PlacedState[] = [];
  const edges: PlacedEdge[] = [];
  for (const state of siblings) {
    const { x, y, width, height } = graph.node(state.id) as ArrangedBox;
    states.push({ state, x, y, width, height });
    const inside = inner.get(state.id);
    if (inside === undefined) continue;
    const offset = { x: x - inside.width / 2, y: y - height / 2 + titleHeight };
    states.push(...inside.states.map((one) => ({ ...one, ...movedBy(one, offset) })));
    edges.push(
      ...inside.edges.map(({ edge, points, label }) => ({
        edge,
        points: points.map((point) => movedBy(point, offset)),
        label: movedBy(label, offset),
      })),
    );
  }
  const drawn = lifted.map(({ edge, from, to }) => {
    const { points, ...label } = graph.edge({ v: from, w: to, name: edge.id }) as ArrangedEdge;
    const ends = [points[0], points.at(-1)];
    return { edge, from, to, points: levelAtLabel(points, label), ends, label: at(label) };
  });
  for (const line of drawn) {
    const [start = line.label, end = line.label] = line.ends;
    const around = [start, ...line.points, end];
    const points =
      line.from === line.to
        ? loopBelow(line, graph)
        : isForward(around)
          ? attachToSides(line, drawn, graph)
          : around;
    edges.push({
      edge: line.edge,
      points: extendToStates(points, line.edge, line, states),
      label: line.label,
    });
  }
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  return { width, height, states, edges };
}

interface ArrangedEdge extends Point, Size {
  readonly points: readonly Point[];
}

/** A line is level along its label, so that it crosses neither this text nor the one beside it. */
function levelAtLabel(points: readonly Point[], { x, y, width }: ArrangedBox): readonly Point[] {
  const [first, ...rest] = points;
  const end = rest.pop();
  const ahead = Math.sign((end?.x ?? 0) - (first?.x ?? 0));
  return rest.flatMap((point) =>
    ahead === 0 || Math.hypot(point.x - x, point.y - y) > 0.5
      ? point
      : [-ahead, ahead].map((side) => ({ x: x + (side * width) / 2, y })),
  );
}

const at = ({ x, y }: Point): Point => ({ x, y });

interface Line {
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
}

/** Edges leave on the right and enter on the left, each at its own height, in their order. */
function attachToSides(line: Line, all: readonly Line[], graph: Graph): Point[] {
  const source = graph.node(line.from) as ArrangedBox;
  const target = graph.node(line.to) as ArrangedBox;
  const port = (box: ArrangedBox, side: Line[], towards: (one: Line) => number): number => {
    const sorted = side.toSorted((one, other) => towards(one) - towards(other));
    const share = (sorted.indexOf(line) + 1) / (sorted.length + 1);
    return box.y - box.height / 2 + box.height * (sorted.length === 1 ? 0.5 : 0.12 + share * 0.76);
  };
  const out = port(
    source,
    all.filter(({ from }) => from === line.from),
    ({ points }) => points[0]?.y ?? 0,
  );
  const into = port(
    target,
    all.filter(({ to }) => to === line.to),
    ({ points }) => points.at(-1)?.y ?? 0,
  );
  return [
    { x: source.x + source.width / 2, y: out },
    ...line.points,
    { x: target.x - target.width / 2, y: into },
  ];
}

/** A transition to the same state leaves at the bottom and returns there; dagre keeps room for its label. */
function loopBelow({ from, label }: Line & { readonly label: Point }, graph: Graph): Point[] {
  const { x, y, width, height } = graph.node(from) as ArrangedBox;
  const [right, left, bottom] = [x + width / 4, x - width / 4, y + height / 2];
  return [
    { x: right, y: bottom },
    { x: right, y: label.y },
    { x: left, y: label.y },
    { x: left, y: bottom },
  ];
}

const movedBy = ({ x, y }: Point, by: Point): Point => ({ x: x + by.x, y: y + by.y });

/** An edge that was lifted to the box around its state starts and ends at the state itself. */
function extendToStates(
  points: readonly Point[],
  edge: ChartEdge,
  lifted: { readonly from: string; readonly to: string },
  states: readonly PlacedState[],
): Point[] {
  const ends = [...points];
  const source = lifted.from === edge.from ? undefined : states.find(({ state }) => state.id === edge.from);
  const target = lifted.to === edge.to ? undefined : states.find(({ state }) => state.id === edge.to);
  const [first] = points;
  const last = points.at(-1);
  if (source !== undefined && first !== undefined) ends.unshift(borderOf(source, first));
  if (target !== undefined && last !== undefined) ends.push(borderOf(target, last));
  return ends;
}

/** The point where the line from the center of a state toward a point leaves its box. */
function borderOf({ x, y, width, height }: PlacedState, towards: Point): Point {
  const dx = towards.x - x;
  const dy = towards.y - y;
  const scale = Math.min(width / 2 / Math.max(Math.abs(dx), 1e-6), height / 2 / Math.max(Math.abs(dy), 1e-6));
  return scale >= 1 ? towards : { x: x + dx * scale, y: y + dy * scale };
}
