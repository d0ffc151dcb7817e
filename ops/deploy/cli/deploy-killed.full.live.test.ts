import { suite } from '../../../contracts/testing/suite.js';
import { strategies } from '../steps.js';
import { mustSurviveKills, stepCount } from '../../testing/deploy-kills.js';

const test = suite('svc deploy, killed after each step');

// A canary has as many steps as the others together: it has a file, and with it a time limit, of its own.
for (const strategy of strategies.filter((name) => name !== 'canary')) {
  test(`${strategy}: a kill -9 after any step leaves the old revision in service`, () =>
    mustSurviveKills(
      strategy,
      Array.from({ length: stepCount(strategy) }, (_, at) => at + 1),
    ));
}
