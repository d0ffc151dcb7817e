import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { inSimulatedTime } from './simulated-globals.js';
import { relaysOverSlowStore } from './relay.js';
import { SimulatedTime } from './simulated-time.js';

const test = suite('relays over a slow store');

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

/** Each way; a lease lasts for four seconds at least. */
const ways = { 'half a second': [300, 700], seconds: [500, 2_000] } as const;

for (const [name, callMs] of Object.entries(ways))
  test(`${name} there and back: every message is sent, and hardly any again`, async () => {
    for (const seed of seeds) {
      const time = new SimulatedTime(seed);
      const { found, sent } = await inSimulatedTime(time, () => relaysOverSlowStore(time, callMs));
      assert.equal(found, [], `seed ${seed}`);
      assert.ok(sent < 2, `seed ${seed}: ${sent} times`);
    }
  });
