import { suite } from '../../../contracts/testing/suite.js';
import { mustKeepItsPromises } from '../testing/effects-keep-promises.js';
import { killedHosts } from './killed-hosts.js';

const test = suite('effects of three hosts that die');

test('killed and frozen under calls, at each failpoint, and with claims that are too short: each outcome is stored once, in order, audited', () =>
  mustKeepItsPromises(
    killedHosts({
      requests: 400,
      faults: { kills: 1, failpointRounds: 1, freezes: 1, terminations: 0, crashes: 0 },
    }),
  ));
