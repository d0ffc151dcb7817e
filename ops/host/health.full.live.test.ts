import { suite } from '../../contracts/testing/suite.js';
import { mustBeIdle } from '../testing/idle-host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('an idle host in the long run');

for (const [what, definition, most] of [
  ['an idle host queries the database at most 30 times in 20 seconds', ordersAlone, 1.5],
  ['with processes, whose leases it renews, an idle host queries it at most 70 times', undefined, 3.5],
] as const)
  test(what, () => mustBeIdle({ most, definition, windowsMs: [20_000, 60_000] }));
