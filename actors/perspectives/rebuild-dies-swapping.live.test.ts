import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { mustBeContinued } from '../testing/dying-rebuild.js';

const test = suite('rebuilds in processes that die');

const { BlueGreen, InPlace } = RebuildMode;

for (const [mode, failpoint] of [
  [BlueGreen, 'rebuild-after-verify'],
  [BlueGreen, 'rebuild-before-swap'],
  [BlueGreen, 'rebuild-after-swap'],
  [InPlace, 'rebuild-after-truncate'],
] as const)
  test(`a ${mode} rebuild that dies at ${failpoint} is continued by another host, and reported once`, () =>
    mustBeContinued(mode, failpoint));
