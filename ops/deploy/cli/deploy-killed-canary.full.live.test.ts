import { suite } from '../../../contracts/testing/suite.js';
import { mustSurviveKills, stepCount } from '../../testing/deploy-kills.js';

const test = suite('svc deploy canary, killed after each step');

test('canary: a kill -9 after any step leaves the old revision in service', () =>
  mustSurviveKills(
    'canary',
    Array.from({ length: stepCount('canary') }, (_, at) => at + 1),
  ));
