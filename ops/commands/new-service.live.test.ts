import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { build, testsOf, withNewService } from '../testing/new-service.js';

const test = suite('a new service');

test('a new service generates and compiles, and its tests pass', () =>
  withNewService(async (dir) => {
    await build(dir);
    assert.match(await testsOf(dir), /^# pass 2\n# fail 0$/m);
  }));
