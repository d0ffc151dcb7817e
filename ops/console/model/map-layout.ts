import type { EventModel, Sender } from './event-model.js';

export interface MapNode {
  readonly id: string;
  /** `sent`: a command once more, beside what sends it. */
  readonly kind: 'command' | 'event' | 'perspective' | Sender['kind'] | 'sent';
  readonly name: string;
  /** The name, cut to the width of the box. */
  readonly label: string;
  /** Its left upper corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lately: number | undefined;
}

export interface MapEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly lately: number;
  /** Sent when a time has come. */
  readonly isTimed: boolean;
  readonly start: Point;
  readonly end: Point;
  /** The left end of its label, which lies between the box and the start of the line. */
  readonly label: Point;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface MapLayout {
  readonly width: number;
  readonly height: number;
  /** What stands above the columns. */
  readonly titles: readonly string[];
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

export const mapSizes = {
  node: 210,
  label: 52,
  gap: 130,
  narrowGap: 82,
  row: 20,
  least: 44,
  between: 14,
  top: 34,
};
const widestLabel = 196;

interface Link {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly lately: number;
  readonly isTimed: boolean;
}

type Box = Omit<MapNode, 'x' | 'y' | 'height' | 'width'>;

/**
 * Three columns, and a fourth for what is sent by reactions and timers: a line back to the first would cross the others. The label of an edge has a strip of its own beside the box that it leaves, and all lines start to the
 * right of it: no line crosses a label or a box.
 */
export function layoutMap(model: EventModel): MapLayout {
  const links = linksOf(model);
  const events = ordered(
    model.events.map(({ type, lately }) => boxOf('event', type, lately)),
    links,
    'to',
    [],
  );
  const commands = ordered(
    model.commands.map((name) => boxOf('command', name, sumOf(links, idOf('command', name)))),
    links,
    'from',
    events,
  );
  const sortedEvents = ordered(events, links, 'to', commands);
  const readers = ordered(
    [
      ...model.perspectives.map(({ name }) => boxOf('perspective', name, undefined)),
      ...model.senders.map(({ kind, name }) => boxOf(kind, name, sumOf(links, idOf(kind, name)))),
    ],
    links,
    'to',
    sortedEvents,
  );
  const sent = ordered(
    [...new Set(model.sent.map(({ command }) => command))].map((name) => boxOf('sent', name, undefined)),
    links,
    'to',
    readers,
  );
  const columns = [commands, sortedEvents, readers, ...(sent.length === 0 ? [] : [sent])];
  const height = Math.max(...columns.map((column) => heightOf(column, links)));
  const nodes = columns.flatMap((column, index) => {
    const x = columnX(index, columns.length);
    return placed(column, x, height, links);
  });
  const edges = edgesOf(nodes, links);
  const titles = ['Commands', 'Events', readersTitle(model), 'Commands sent'].slice(0, columns.length);
  return { width: columnX(columns.length - 1, columns.length) + mapSizes.node, height, titles, nodes, edges };
}

const readersTitle = ({ perspectives, senders }: EventModel): string =>
  senders.length === 0
    ? 'Perspectives'
    : perspectives.length === 0
      ? 'Reactions and timers'
      : 'Perspectives, reactions';

const idOf = (kind: MapNode['kind'], name: string): string => `${kind} ${name}`;

/** Four columns are nearer to each other, so that they fit where three do. */
export const columnX = (index: number, columns: number): number =>
  index * (mapSizes.node + mapSizes.label + (columns > 3 ? mapSizes.narrowGap : mapSizes.gap));

function linksOf({ appended, events, perspectives, senders, sent }: EventModel): readonly Link[] {
  const known = new Map(events.map((event) => [event.type, event]));
  const stored = appended.map(({ command, event, count, lately }) =>
    linkOf(idOf('command', command), idOf('event', event), count, lately),
  );
  const readers = [...perspectives.map((one) => ({ ...one, kind: 'perspective' as const })), ...senders];
  const taken = readers.flatMap(({ kind, name, events: types }) =>
    types.flatMap((type) => {
      const event = known.get(type);
      if (event === undefined) return [];
      return linkOf(idOf('event', type), idOf(kind, name), event.count, event.lately);
    }),
  );
  const caused = sent.map(({ by, command, count, lately }) =>
    linkOf(idOf(by.kind, by.name), idOf('sent', command), count, lately, by.kind === 'timer'),
  );
  return [...stored, ...taken, ...caused];
}

const linkOf = (from: string, to: string, count: number, lately: number, isTimed = false): Link => ({
  id: `${from} → ${to}`,
  from,
  to,
  count,
  lately,
  isTimed,
});

const sumOf = (links: readonly Link[], from: string): number =>
  links.filter((link) => link.from === from).reduce((sum, { lately }) => sum + lately, 0);

const boxOf = (kind: MapNode['kind'], name: string, lately: number | undefined): Box => ({
  id: idOf(kind, name),
  kind,
  name,
  label: labelOf(name),
  lately,
});

/** Cut where it would leave its box; no character is cut in two. */
function labelOf(name: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment);
  if (letters.reduce((sum, letter) => sum + widthOf(letter), 0) <= widestLabel) return name;
  let width = widthOf('…');
  const fitting = letters.findIndex((letter) => (width += widthOf(letter)) > widestLabel);
  return `${letters.slice(0, fitting).join('')}…`;
}

/** About the widths of bold letters. */
const widthOf = (letter: string): number =>
  /[a-ln-vx-z0-9 .()<>=_-]/.test(letter) ? 7.4 : /[A-LN-VX-Z…]/.test(letter) ? 9 : 14;

/** Each box at the height of its neighbors, so that few lines cross. */
function ordered(
  boxes: readonly Box[],
  links: readonly Link[],
  end: 'from' | 'to',
  neighbors: readonly Box[],
): readonly Box[] {
  const other = end === 'from' ? 'to' : 'from';
  const place = new Map(neighbors.map(({ id }, index) => [id, index]));
  const mean = ({ id }: Box): number => {
    const places = links.filter((link) => link[end] === id).flatMap((link) => place.get(link[other]) ?? []);
    return places.length === 0
      ? Number.MAX_SAFE_INTEGER
      : places.reduce((sum, one) => sum + one, 0) / places.length;
  };
  const means = new Map(boxes.map((box) => [box.id, mean(box)]));
  return boxes.toSorted((one, another) => (means.get(one.id) ?? 0) - (means.get(another.id) ?? 0));
}

function portsOf({ id }: Box, links: readonly Link[]): number {
  const leaving = links.filter(({ from }) => from === id).length;
  const arriving = links.filter(({ to }) => to === id).length;
  return Math.max(leaving, arriving, 1);
}

const boxHeight = (box: Box, links: readonly Link[]): number =>
  Math.max(mapSizes.least, portsOf(box, links) * mapSizes.row + 8);

const heightOf = (column: readonly Box[], links: readonly Link[]): number =>
  mapSizes.top + column.reduce((sum, box) => sum + boxHeight(box, links) + mapSizes.between, 0);

/** A short column is centered beside a long one. */
function placed(column: readonly Box[], x: number, height: number, links: readonly Link[]): MapNode[] {
  let y = mapSizes.top + (height - heightOf(column, links)) / 2;
  return column.map((box) => {
    const node = { ...box, x, y, width: mapSizes.node, height: boxHeight(box, links) };
    y += node.height + mapSizes.between;
    return node;
  });
}

function edgesOf(nodes: readonly MapNode[], links: readonly Link[]): MapEdge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const port = (link: Link, end: 'from' | 'to'): number => {
    const node = byId.get(link[end]);
    const other = end === 'from' ? 'to' : 'from';
    const side = links
      .filter((one) => one[end] === link[end])
      .toSorted((one, another) => (byId.get(one[other])?.y ?? 0) - (byId.get(another[other])?.y ?? 0));
    const first = (node?.y ?? 0) + (node?.height ?? 0) / 2 - ((side.length - 1) * mapSizes.row) / 2;
    return first + side.indexOf(link) * mapSizes.row;
  };
  return links.flatMap((link) => {
    const [source, target] = [byId.get(link.from), byId.get(link.to)];
    if (source === undefined || target === undefined) return [];
    const right = source.x + source.width;
    const [out, into] = [port(link, 'from'), port(link, 'to')];
    return {
      ...link,
      label: { x: right + 6, y: out },
      start: { x: right + mapSizes.label, y: out },
      end: { x: target.x, y: into },
    };
  });
}

/** A line that leaves and arrives level. */
export function linePath({ start, end }: Pick<MapEdge, 'start' | 'end'>): string {
  const half = (start.x + end.x) / 2;
  return `M${start.x} ${start.y} C${half} ${start.y} ${half} ${end.y} ${end.x} ${end.y}`;
}
