import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { supervise } from './supervise.js';

const test = suite('svc supervise');

const refusalOf = (...args: string[]): Promise<string> =>
  supervise.run(args).then(
    () => 'accepted',
    (error: unknown) => (error as Error).message,
  );

test('bad arguments are reported, with how to get help', async () => {
  const more = 'see svc supervise --help.';
  assert.is(await refusalOf(), `Give one application: svc supervise <app>; ${more}`);
  assert.is(await refusalOf('a', 'b'), `Give one application: svc supervise <app>; ${more}`);
  assert.is(await refusalOf('a', 'b', '--status'), `Give one application: svc supervise <app>; ${more}`);
  assert.match(
    await refusalOf('a', '--patience', '1'),
    /^--patience must be a whole number from 1000 to 600000/,
  );
  assert.match(await refusalOf('a', '--quarantine-after', 'x'), /^--quarantine-after must be/);
  assert.match(
    await refusalOf('a', '--hosts', 'many'),
    /^--hosts must be a whole number from 1 to 256, not 'many'/,
  );
  assert.match(await refusalOf('a', '--hosts', '0'), /^--hosts must be/);
  assert.match(
    await refusalOf('a', '--max-memory', 'lots'),
    /^--max-memory must be a size such as 512M, not 'lots'/,
  );
  assert.match(await refusalOf('a', '--max-restarts', '-1'), /^Option '--max-restarts|^--max-restarts/);
  assert.match(
    await refusalOf('--scale', '257'),
    /^--scale must be a whole number from 0 to 256, not '257'; see svc supervise --help\.$/,
  );
  assert.is(await refusalOf('--scale', '2', '--stop'), `Give one of --status, --scale and --stop; ${more}`);
  assert.match(await refusalOf('a', '--fast'), /^Unknown option '--fast'/);
});
