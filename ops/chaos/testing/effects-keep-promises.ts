import * as assert from 'uvu/assert';
import { withStore } from '../../../runtime/testing/migrated-database.js';
import { type EffectScenario, runEffectScenario } from '../effects/effect-scenario.js';

/** On a server of the tests, which nothing crashes. */
export async function mustKeepItsPromises(scenario: EffectScenario): Promise<void> {
  const report = await withStore((url) =>
    runEffectScenario(scenario, {
      seed: 3,
      postgres: { url, crash: () => Promise.resolve(), stop: () => Promise.resolve() },
      printProgress: () => undefined,
    }),
  );
  assert.ok(report.ok, JSON.stringify(report));
}
