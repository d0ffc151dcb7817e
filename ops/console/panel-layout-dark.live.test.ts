import { suite } from '../../contracts/testing/suite.js';
import { withConsole } from '../testing/bakery-console.js';
import { mustBeWhole } from '../testing/panel-layout.js';

const test = suite('dark layout of the console');

test('in dark colors, every panel is accessible, whole at each width, and requests no other server', () =>
  withConsole((seen) => mustBeWhole(seen, 'dark')));
