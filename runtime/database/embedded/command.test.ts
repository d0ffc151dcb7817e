import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { run, spawnOptions } from './command.js';
import { withFolder } from './temporary-folder.js';

const test = suite('command');
const homeIn = (folder: string) => ({ folder, cluster: `${folder}/cluster`, account: undefined });

test('a program gets its input and runs in the home', () =>
  withFolder(async (folder) => {
    const script = `
      const input = require('node:fs').readFileSync(0, 'utf8');
      process.exit(input === 'CREATE DATABASE svc' && process.cwd() === process.env.HOME ? 0 : 1);`;
    await run(homeIn(folder), process.execPath, ['-e', script], 'CREATE DATABASE svc');
  }));

test('a program that fails is a problem in its own words', () =>
  withFolder(async (folder) => {
    const script = 'console.error("no space left"); process.exitCode = 3;';
    const failing = run(homeIn(folder), process.execPath, ['-e', script], 'x'.repeat(1_000_000));
    const problem = await failing.catch((error: unknown) => error);
    assert.instance(problem, Problem);
    assert.match((problem as Problem).message, /failed: no space left$/);
  }));

test('the server learns nothing of our environment', () => {
  process.env['SVC_JWT_SECRET'] = 'hush';
  const { env } = spawnOptions(homeIn('/data'));
  assert.is(env?.['SVC_JWT_SECRET'], undefined);
  assert.is(env?.['HOME'], '/data');
  delete process.env['SVC_JWT_SECRET'];
});

test('the server runs as the account of the home', () => {
  const { uid, gid } = spawnOptions({ ...homeIn('/data'), account: { uid: 101, gid: 104 } });
  assert.equal([uid, gid], [101, 104]);
  assert.not('uid' in spawnOptions(homeIn('/data')));
});

test.run();
