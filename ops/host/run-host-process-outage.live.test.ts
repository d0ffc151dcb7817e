import { suite } from '../../contracts/testing/suite.js';
import { survivesOutages } from '../testing/host-faults.js';

const test = suite('host process');

test('while the database is down every answer is 503, and when it is back the host serves again', () =>
  survivesOutages(1));
