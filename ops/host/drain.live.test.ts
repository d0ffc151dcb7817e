import { suite } from '../../contracts/testing/suite.js';
import { answersLateSenders } from '../testing/host-faults.js';

const test = suite('draining a host');

test('requests that arrive when idle connections are closed are answered', () => answersLateSenders(100));
