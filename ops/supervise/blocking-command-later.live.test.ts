import { suite } from '../../contracts/testing/suite.js';
import { mustBeQuarantined } from '../testing/quarantined-command.js';
import { afterTwo } from '../testing/spawned-supervisor.js';

const test = suite('a command that blocks the event loop');

test('a command that blocks (later) is reported and quarantined by its key, while all others are served', () =>
  mustBeQuarantined('later', afterTwo));
