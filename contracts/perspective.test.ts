import * as assert from 'uvu/assert';
import { RebuildMode } from './perspective.js';
import { suite } from './testing/suite.js';

const test = suite('perspective');

test('a perspective is rebuilt blue-green, in place or for selected streams', () => {
  assert.equal(RebuildMode, {
    BlueGreen: 'BlueGreen',
    InPlace: 'InPlace',
    SelectedStreams: 'SelectedStreams',
  });
});
