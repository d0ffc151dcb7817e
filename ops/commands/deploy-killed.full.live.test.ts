import { suite } from 'uvu';
import { strategies } from '../deploy/steps.js';
import { mustSurviveKills, stepCount } from '../testing/deploy-kills.js';

const test = suite('svc deploy, killed after each step');

for (const strategy of strategies) {
  test(`${strategy}: a kill -9 after any step leaves the old revision in service`, () =>
    mustSurviveKills(
      strategy,
      Array.from({ length: stepCount(strategy) }, (_, at) => at + 1),
    ));
}

test.run();
