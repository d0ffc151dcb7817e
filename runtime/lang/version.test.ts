import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { version } from './version.js';

const test = suite('version');

test('the version is the one of the package', () => {
  const manifest: unknown = createRequire(import.meta.url)('svc-runtime/package.json');
  assert.is((manifest as { version: string }).version, version);
  assert.match(version, /^\d+\.\d+\.\d+/);
});
