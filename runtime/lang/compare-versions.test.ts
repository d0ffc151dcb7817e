import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { compareVersions } from './compare-versions.js';

const test = suite('versions');

test('versions are compared number by number', () => {
  assert.is(compareVersions('1.2.3', '1.2.3'), 0);
  assert.is(compareVersions('1.10.0', '1.9.9'), 1);
  assert.is(compareVersions('v2', '2.0.1'), -1);
});

test('a pre-release precedes its release, build metadata does not matter', () => {
  assert.is(compareVersions('1.0.0-rc.2', '1.0.0'), -1);
  assert.is(compareVersions('1.0.0-rc.10', '1.0.0-rc.9'), 1);
  assert.is(compareVersions('1.0.0+7', '1.0.0+8'), 0);
});

test('an unknown version cannot be compared', () => {
  assert.is(compareVersions(null, '1.0.0'), undefined);
  assert.is(compareVersions('1.0.0', 'latest'), undefined);
});
