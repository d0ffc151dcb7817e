import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { EventModel } from './event-model.js';
import { layoutMap, mapSizes, type MapLayout } from './map-layout.js';

const test = suite('layout of the event model');

/** Every command appends a few events, every perspective takes a few. */
function modelOf(commands: number, events: number, perspectives: number, senders = 0): EventModel {
  const names = (count: number, of: string) => Array.from({ length: count }, (_, index) => `${of}${index}`);
  const types = names(events, 'Event');
  return {
    commands: names(commands, 'Command'),
    events: types.map((type, index) => ({ type, count: index, lately: index % 3 })),
    perspectives: names(perspectives, 'perspective-').map((name, index) => ({
      name,
      events: types.filter((_, place) => (place * 7 + index) % 3 === 0),
    })),
    appended: names(commands, 'Command').flatMap((command, index) =>
      types
        .filter((_, place) => (place + index) % 4 === 0)
        .map((event) => ({ command, event, count: 12_345, lately: 7 })),
    ),
    ...sendersOf(names(senders, 'sender-'), types),
    examined: 100,
  };
}

/** Each reacts to a few events and sends a few commands, some of them when a time has come. */
function sendersOf(names: readonly string[], types: readonly string[]): Pick<EventModel, 'senders' | 'sent'> {
  const kinds = ['reaction', 'process', 'timer'] as const;
  const senders = names.map((name, index) => ({
    kind: kinds[index % 3] ?? 'timer',
    name,
    events: types.filter((_, place) => index % 3 < 2 && (place + index) % 5 === 0),
    commands: [],
  }));
  const sent = senders.flatMap((by, index) =>
    [0, 1, 2].map((n) => ({ by, command: `Command${(index * 2 + n) % 7}`, count: 12_345, lately: n })),
  );
  return { senders, sent };
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const overlap = (one: Area, other: Area): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const labelsOf = ({ edges }: MapLayout): Area[] =>
  edges.map(({ label }) => ({ x: label.x, y: label.y - 8, width: mapSizes.label - 12, height: 16 }));

/** Points along the drawn curve. */
function* pointsOf({ edges }: MapLayout): Generator<Area> {
  for (const { start, end } of edges)
    for (let t = 0; t <= 1; t += 0.02) {
      const half = (start.x + end.x) / 2;
      const mix = (a: number, b: number, c: number, d: number) =>
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
      const x = mix(start.x, half, half, end.x);
      yield { x, y: mix(start.y, start.y, end.y, end.y), width: 0.01, height: 0.01 };
    }
}

const models = [
  ...[modelOf(1, 1, 1), modelOf(4, 5, 2), modelOf(20, 12, 9), modelOf(0, 0, 0)],
  ...[modelOf(1, 1, 0, 1), modelOf(4, 5, 2, 3), modelOf(20, 12, 9, 14), modelOf(0, 0, 0, 1)],
];

test('no boxes overlap, and all are within the map', () => {
  for (const model of models) {
    const { nodes, width, height } = layoutMap(model);
    const { commands, events, perspectives, senders, sent } = model;
    const again = new Set(sent.map(({ command }) => command)).size;
    const boxes = commands.length + events.length + perspectives.length + senders.length + again;
    assert.is(nodes.length, boxes);
    for (const [index, node] of nodes.entries()) {
      assert.ok(node.x >= 0 && node.x + node.width <= width && node.y >= 0 && node.y + node.height <= height);
      for (const other of nodes.slice(index + 1)) assert.not(overlap(node, other), `${node.id} ${other.id}`);
    }
  }
});

test('no label lies on a line, on a box or on another label', () => {
  for (const layout of models.map(layoutMap)) {
    const labels = labelsOf(layout);
    for (const [index, label] of labels.entries()) {
      for (const node of layout.nodes) assert.not(overlap(label, node));
      for (const other of labels.slice(index + 1)) assert.not(overlap(label, other));
    }
    for (const point of pointsOf(layout)) assert.not(labels.some((label) => overlap(label, point)));
  }
});

test('no line crosses a box', () => {
  for (const layout of models.map(layoutMap)) {
    const boxes = layout.nodes.map((node) => ({ ...node, x: node.x + 1, width: node.width - 2 }));
    for (const point of pointsOf(layout)) assert.not(boxes.some((box) => overlap(box, point)));
  }
});

test('a line leads from an event over a reaction to its command, and what is timed is marked', () => {
  const { edges, titles } = layoutMap(modelOf(1, 1, 0, 3));
  const ids = edges.map(({ id }) => id);
  assert.ok(ids.includes('event Event0 → reaction sender-0'));
  assert.ok(ids.includes('reaction sender-0 → sent Command0'));
  assert.ok(edges.every(({ from, isTimed }) => isTimed === from.startsWith('timer ')));
  assert.equal(titles, ['Commands', 'Events', 'Reactions and timers', 'Commands sent']);
});

test('a long name is cut, and the whole of it is kept', () => {
  const name = '<script>'.repeat(20);
  const [node] = layoutMap({ ...modelOf(0, 0, 0), commands: [name] }).nodes;
  assert.is(node?.label.length, 26);
  assert.is(node?.name, name);
});

test('a name of wide letters is cut earlier, and between characters', () => {
  const labelOf = (name: string) => layoutMap({ ...modelOf(0, 0, 0), commands: [name] }).nodes[0]?.label;
  assert.is(labelOf('W'.repeat(200)), `${'W'.repeat(13)}…`);
  assert.is(labelOf('🥐'.repeat(20)), `${'🥐'.repeat(13)}…`);
  assert.is(labelOf('ReconcileMonthlyInvoices'), 'ReconcileMonthlyInvoices');
});

test('a box is near the boxes that it is connected with', () => {
  const { nodes } = layoutMap({
    ...modelOf(0, 0, 0),
    commands: ['A', 'B'],
    events: [
      { type: 'OfB', count: 1, lately: 0 },
      { type: 'OfA', count: 1, lately: 0 },
    ],
    appended: [
      { command: 'A', event: 'OfA', count: 1, lately: 0 },
      { command: 'B', event: 'OfB', count: 1, lately: 0 },
    ],
  });
  const y = (id: string) => nodes.find((node) => node.id === id)?.y;
  assert.is(y('command A'), y('event OfA'));
  assert.is(y('command B'), y('event OfB'));
});
