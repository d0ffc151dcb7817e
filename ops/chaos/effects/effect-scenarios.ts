import type { ChaosReport } from '../../proof/recorded-runs.js';
import { caps } from './caps.js';
import { type EffectScenario, runEffectScenario } from './effect-scenario.js';
import type { EffectRun } from './effect-scene.js';
import { deadlyCall } from './deadly-call.js';
import { longCall } from './long-call.js';
import { longLane } from './long-lane.js';
import { allEffects, runEffects } from './run-effects.js';
import { zombie } from './zombie.js';

/** With the leases and claims of any host. */
const settings = {};
const minuteMs = 60_000;

const full: Readonly<Record<string, EffectScenario>> = {
  'effects-long-call': longCall({ parts: 240, partMs: 5_000, everyMs: 4 * minuteMs, settings }),
  'effects-zombie': zombie({ frozenMs: 5 * minuteMs, afterMs: 3_000, takenOverMs: 35_000, settings }),
  'effects-long-lane': longLane({ requests: 100_000, ticks: 1_000, settings }),
  'effects-caps': caps({ requests: 3_000, kills: 10, takenOverMs: 20_000, settings }),
  'effects-deadly-call': deadlyCall({ requests: 960, withinMs: 180_000, settings }),
};

/** What happens to calls of other systems, by name. */
export const effectScenarios: Readonly<Record<string, (run: EffectRun) => Promise<ChaosReport>>> = {
  effects: (run) => runEffects({ ...allEffects, ...run }),
  ...Object.fromEntries(
    Object.entries(full).map(([name, scenario]) => [
      name,
      (run: EffectRun) => runEffectScenario(scenario, run),
    ]),
  ),
};
