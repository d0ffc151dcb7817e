import { Graph, layout as arrange } from '@dagrejs/dagre';
import type { Chart, ChartEdge, ChartState } from './statechart.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

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
  return layOut(chart.states, chart.edges, sizes);
}

function layOut(siblings: readonly ChartState[], edges: readonly ChartEdge[], sizes: Sizes): Layout {
  const inner = new Map(
    siblings
      .filter(({ children }) => children.length > 0)
      .map((state) => [state.id, layOut(state.children, edgesWithin(state, edges), sizes)]),
  );
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 20, edgesep: 12, ranksep: 10, marginx: margin, marginy: margin });
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
    const { points, x, y } = graph.edge({ v: from, w: to, name: edge.id }) as { points: Point[] } & Point;
    return { edge, from, to, points: points.slice(1, -1), ends: [points[0], points.at(-1)], label: { x, y } };
  });
  for (const line of drawn) {
    const [start = line.label, end = line.label] = line.ends;
    const around = [start, ...line.points, end];
    const points = isForward(around) ? attachToSides(line, drawn, graph) : around;
    edges.push({
      edge: line.edge,
      points: extendToStates(points, line.edge, line, states),
      label: line.label,
    });
  }
  const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
  return { width, height, states, edges };
}

const isForward = (points: readonly Point[]): boolean =>
  points.every((point, index) => index === 0 || point.x >= (points[index - 1]?.x ?? 0));

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

/** The point where the line from the center of a state towards a point leaves its box. */
function borderOf({ x, y, width, height }: PlacedState, towards: Point): Point {
  const dx = towards.x - x;
  const dy = towards.y - y;
  const scale = Math.min(width / 2 / Math.max(Math.abs(dx), 1e-6), height / 2 / Math.max(Math.abs(dy), 1e-6));
  return scale >= 1 ? towards : { x: x + dx * scale, y: y + dy * scale };
}

/** A smooth line that is level at each of its points; a line that turns back bends towards them instead. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined || rest.length === 0) return '';
  if (!isForward(points)) return bentPath(first, rest);
  let path = `M${at(first)}`;
  for (const [index, point] of rest.entries()) {
    const before = points[index] ?? point;
    const half = (before.x + point.x) / 2;
    path += ` C${at({ x: half, y: before.y })} ${at({ x: half, y: point.y })} ${at(point)}`;
  }
  return path;
}

function bentPath(first: Point, rest: readonly Point[]): string {
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1);
  const path = bends.map((bend, index) => {
    const next = bends[index + 1];
    return ` Q${at(bend)} ${at(next === undefined ? last : between(bend, next))}`;
  });
  return `M${at(first)}${bends.length === 0 ? ` L${at(last)}` : path.join('')}`;
}

const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
const between = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
const round = (value: number): number => Math.round(value * 10) / 10;
