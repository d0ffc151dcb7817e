import { suite } from '../../contracts/testing/suite.js';
import { receivesAfterOutage } from '../testing/receiving-outage.js';

const test = suite('a receiving host whose database is interrupted');

test('what others send while PostgreSQL is down is stored once and completely after its start, and their chain verifies', () =>
  receivesAfterOutage(500));
