import { suite } from '../../contracts/testing/suite.js';
import { auditedThroughKills } from '../testing/audited-load.js';

const test = suite('audit of a host that is killed');

test('kill -9 under load: every command and event is audited exactly once', () => auditedThroughKills(1));
