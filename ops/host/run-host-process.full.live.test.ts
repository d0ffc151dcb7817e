import { suite } from '../../contracts/testing/suite.js';
import {
  answersAfterFreeze,
  answersLateSenders,
  survivesClosedConnections,
  survivesOutages,
} from '../testing/host-faults.js';

const test = suite('host process under long faults');

test('a host that is frozen for longer than a drain may last still answers what has arrived, and exits with 0', () =>
  answersAfterFreeze(12_000));

for (let round = 1; round <= 4; round++)
  test(`400 requests that arrive when idle connections are closed are answered, round ${round}`, () =>
    answersLateSenders(400));

test('connections that the database closes eight times under load cost at most a 503 each', () =>
  survivesClosedConnections(8));

test('while the database is down, three times, every answer is 503, and each time the host serves again', () =>
  survivesOutages(3, 64));
