import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { aRequest } from '../../testing/scripted-host.js';
import { waterfallOf } from './waterfall.js';

const test = suite('waterfall of a trace');

const at = (id: string, second: string, ms: number) => ({
  ...aRequest(id),
  startedAt: `2026-01-01T00:00:${second}Z`,
  ms,
  states: [['dispatching', ms]] as const,
});

test('requests stand one below the other by their begin, on one axis', () => {
  const { rows, totalMs } = waterfallOf([at('b', '00.500', 500), at('a', '00.000', 800)]);
  assert.is(totalMs, 1_000);
  assert.equal(
    rows.map(({ request, x, parts }) => [request.id, x, parts[0]?.width]),
    [
      ['a', 0, 80],
      ['b', 50, 50],
    ],
  );
});

test('a request without states is one bar, and no bar is too thin to see', () => {
  const { rows } = waterfallOf([{ ...at('a', '00.000', 1_000) }, { ...at('b', '00.000', 0), states: [] }]);
  assert.equal(rows[1]?.parts, [{ state: 'completed', x: 0, width: 0.4 }]);
});
