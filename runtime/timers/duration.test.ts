import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { millisecondsOf } from './duration.js';

const test = suite('Durations');

test('days, hours, minutes and seconds add up', () => {
  assert.is(millisecondsOf('PT15M', 'in'), 900_000);
  assert.is(millisecondsOf('P3D', 'in'), 259_200_000);
  assert.is(millisecondsOf('P1DT2H3M4.5S', 'in'), 93_784_500);
  assert.is(millisecondsOf('PT0S', 'in'), 0);
});

test('what is no duration is refused on one line that names the field', () => {
  for (const text of ['', 'P', 'PT', '15M', 'P1M', 'P1Y', '-PT1S', 'PT1S\n', 'P1DT', 5, null, undefined, {}])
    assert.throws(
      () => millisecondsOf(text as string, 'in'),
      /^in '.*' is not a duration such as PT15M or P3D\.$/s,
    );
});

test('more than ten years is refused', () => {
  assert.is(millisecondsOf('P3652D', 'for'), 3652 * 86_400_000);
  for (const text of ['P3653D', `PT${'9'.repeat(400)}S`])
    assert.throws(() => millisecondsOf(text, 'for'), /more than ten years/);
});
