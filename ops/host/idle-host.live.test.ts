import { suite } from '../../contracts/testing/suite.js';
import { mustBeIdle } from '../testing/idle-host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('an idle host');

for (const [what, definition] of [
  ['an idle host queries the database at most once a second', ordersAlone],
  ['an idle host with reactions, processes and perspectives does not query it more often', undefined],
] as const)
  test(what, () => mustBeIdle({ most: 1, definition, windowsMs: [8_000, 8_000, 8_000] }));
