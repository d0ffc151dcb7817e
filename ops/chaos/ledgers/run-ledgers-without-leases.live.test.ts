import { suite } from '../../../contracts/testing/suite.js';
import { mustHappenOnce } from '../testing/happened-once.js';

const test = suite('the ledgers of two hosts that die');

test('without leases, after kill -9: every effect happens once, in order, audited', () =>
  mustHappenOnce({ leases: false, kills: 1, sizes: { events: 120, timers: 40, processes: 10, seats: 10 } }));
