import * as assert from 'uvu/assert';
import type { AnyStateMachine } from 'xstate';
import { suite } from '../../../contracts/testing/suite.js';
import { machines } from '../../service/state-machines.js';
import { lifecycleSizes, machineSizes } from './chart-sizes.js';
import { pointsOn } from './edge-curve.js';
import { definitionOf } from './machine-definition.js';
import { placeLabels } from './place-labels.js';
import { layoutOf, type Sizes } from './statechart-layout.js';
import { type ChartEdge, chartOf, type StateDefinition } from './statechart.js';

const test = suite('labels of edges');

/** The labels that lie on another line, another label or a state. */
function covered(machine: AnyStateMachine, sizes: Sizes): readonly string[] {
  const sizeOf = (edge: ChartEdge) => sizes.text?.(edge) ?? sizes.label(edge);
  const { edges, states } = layoutOf(
    chartOf(JSON.parse(JSON.stringify(definitionOf(machine))) as StateDefinition),
    sizes,
  );
  return edges.flatMap(({ edge, label }) => {
    const { width, height } = sizeOf(edge);
    const others = edges.filter((other) => other.edge !== edge);
    const crosses = others.filter(({ points }) =>
      pointsOn(points).some(
        ({ x, y }) => Math.abs(x - label.x) < width / 2 && Math.abs(y - label.y) < height / 2,
      ),
    );
    const touches = others.filter(({ edge: other, label: { x, y } }) => {
      const size = sizeOf(other);
      return (
        Math.abs(x - label.x) < (width + size.width) / 2 && Math.abs(y - label.y) < (height + size.height) / 2
      );
    });
    const hidden = states.filter(
      ({ state, ...box }) =>
        state.children.length === 0 &&
        Math.abs(box.x - label.x) < (width + box.width) / 2 &&
        Math.abs(box.y - label.y) < (height + box.height) / 2,
    );
    return [
      ...[...crosses, ...touches].map((other) => other.edge.id),
      ...hidden.map(({ state }) => state.id),
    ].map((on) => `${edge.id} on ${on}`);
  });
}

test('in the chart of every machine, no label lies on another line, another label or a state', () => {
  for (const machine of machines) assert.equal(covered(machine, machineSizes), [], machine.id);
});

test('in the chart of the lifecycle, with counts, no label lies on another line, another label or a state', () => {
  const lifecycle = machines.find(({ id }) => id === 'lifecycle');
  assert.ok(lifecycle !== undefined);
  assert.equal(covered(lifecycle, lifecycleSizes), []);
});

test('a label that covers nothing stays where it is, another moves aside', () => {
  const size = { width: 40, height: 20 };
  const line = (y: number) => ({ points: [0, 200].map((x) => ({ x, y })), label: { x: 100, y }, size });
  const crossing = { points: [100, 101].map((x, n) => ({ x, y: 200 * n })), label: { x: 100, y: 150 }, size };
  assert.equal(placeLabels([line(50)], []), [{ x: 100, y: 50 }]);
  const [moved] = placeLabels([line(50), crossing], []);
  assert.ok(Math.abs((moved?.x ?? 100) - 100) >= 20, `${moved?.x}`);
});
