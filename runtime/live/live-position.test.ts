import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { livePositionText, modelNumberOf, parseLivePosition } from './live-position.js';

const test = suite('live position');

test('an id is a position and the number of a model, and is read back', () => {
  const at = { position: 42, model: 4_294_967_295 };
  assert.is(livePositionText(at), '42.4294967295');
  assert.equal(parseLivePosition('42.4294967295'), at);
});

test('a position alone is an id of the model as it is now', () => {
  assert.equal(parseLivePosition('42'), { position: 42 });
});

test('what no host has sent is no id', () => {
  const texts = [
    '',
    '-1.2',
    '1.-2',
    '1.2.3',
    ' 1.2',
    '1e3.2',
    '0x1.2',
    '1.2\n',
    '٣.٤',
    '1'.repeat(16) + '.1',
  ];
  for (const text of [...texts, `${'1'.repeat(1_000_000)}.1`, `1.${'1'.repeat(11)}`, 'NaN.NaN', '\0'])
    assert.is(parseLivePosition(text), undefined, text.slice(0, 20));
});

test('a rebuild and another table change the number of the model', () => {
  const numbers = [
    modelNumberOf('svc_per_a', '0.0'),
    modelNumberOf('svc_per_a', '1.0'),
    modelNumberOf('svc_per_a', '0.1'),
    modelNumberOf('svc_per_b', '0.0'),
  ];
  assert.is(new Set(numbers).size, 4);
});
