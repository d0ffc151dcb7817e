import { suite } from '../../contracts/testing/suite.js';
import { mustBeIdle } from '../testing/idle-host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('an idle host in the long run');

for (const [what, definition] of [
  ['an idle host queries the database at most 60 times in a minute', ordersAlone],
  ['an idle host with reactions, processes and perspectives does not query it more often', undefined],
] as const)
  test(what, () => mustBeIdle({ most: 1, definition, windowsMs: [60_000, 60_000] }));
