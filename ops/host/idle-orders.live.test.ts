import { suite } from '../../contracts/testing/suite.js';
import { mustBeIdle } from '../testing/idle-host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('an idle host');

test('an idle host queries the database at most once a second', () =>
  mustBeIdle({ most: 1, definition: ordersAlone, windowsMs: [3_000, 8_000, 8_000, 8_000] }));
