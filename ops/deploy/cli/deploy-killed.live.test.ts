import { suite } from '../../../contracts/testing/suite.js';
import { mustSurviveKills, stepCount } from '../../testing/deploy-kills.js';

const test = suite('svc deploy, killed');

test('after a kill -9 the watcher reverts: at the first share of a canary, and when its old hosts are stopped', () =>
  mustSurviveKills('canary', [5, stepCount('canary')]));
