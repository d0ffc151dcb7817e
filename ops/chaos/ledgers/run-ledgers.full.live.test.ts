import { suite } from '../../../contracts/testing/suite.js';
import { mustHappenOnce } from '../testing/happened-once.js';

const test = suite('the ledgers of two hosts that die');

for (const leases of [true, false])
  test(`${leases ? 'with' : 'without'} leases, three times kill -9: every effect happens once, in order, audited`, () =>
    mustHappenOnce({ leases, kills: 3, sizes: { events: 500, timers: 100, processes: 40, seats: 40 } }));
