import { suite } from '../../contracts/testing/suite.js';
import { receivesAfterOutage } from '../testing/receiving-outage.js';

const test = suite('a receiving host whose database is away for long');

test('what others send in many seconds without PostgreSQL is stored once and completely, and their chain verifies', () =>
  receivesAfterOutage(8_000));
