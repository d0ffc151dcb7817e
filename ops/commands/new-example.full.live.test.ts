import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { build, testsOf, withNewService } from '../testing/new-service.js';

const test = suite('svc new --example');

test('the orders example becomes a service whose tests pass', () =>
  withNewService(
    async (dir) => {
      await build(dir);
      assert.match(await testsOf(dir), /^# pass \d\d\n# fail 0$/m);
      assert.match(await readFile(join(dir, 'README.md'), 'utf8'), /^# orders$/m);
    },
    '--example',
    'orders',
  ));
