import { caps } from './caps.js';
import type { EffectScenario } from './effect-scenario.js';
import { deadlyCall } from './deadly-call.js';
import { longCall } from './long-call.js';
import { longLane } from './long-lane.js';
import { killedHosts } from './killed-hosts.js';
import { zombie } from './zombie.js';

/** With the leases and claims of any host. */
const settings = {};
const minuteMs = 60_000;

/** What happens to calls of other systems, by name. */
export const effectScenarios: Readonly<Record<string, EffectScenario>> = {
  // 40 faults.
  effects: killedHosts({
    requests: 20_000,
    faults: { kills: 20, failpointRounds: 2, freezes: 10, terminations: 2, crashes: 2 },
  }),
  'effects-long-call': longCall({ parts: 240, partMs: 5_000, between: 48, settings }),
  'effects-zombie': zombie({ frozenMs: 5 * minuteMs, afterMs: 3_000, takenOverMs: 35_000, settings }),
  'effects-long-lane': longLane({ requests: 100_000, ticks: 1_000, withinMs: 3_000, settings }),
  'effects-caps': caps({ requests: 6_000, kills: 10, takenOverMs: 20_000, settings }),
  'effects-deadly-call': deadlyCall({ requests: 960, withinMs: 180_000, settings }),
};
