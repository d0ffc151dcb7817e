import { suite } from '../../contracts/testing/suite.js';
import { mustBeIdle } from '../testing/idle-host.js';

const test = suite('an idle host with followers');

test('an idle host with reactions, processes and perspectives does not query it more often', () =>
  mustBeIdle({ most: 1, windowsMs: [3_000, 8_000, 8_000, 8_000] }));
