import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { svcInProcess } from '../testing/in-process-cli.js';

const test = suite('svc keys');

type Run = (...args: string[]) => ReturnType<typeof svcInProcess>;

const withKeys = (body: (run: Run, drop: () => Promise<unknown>) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect }) => {
    const drop = () => connect({ owner: true }).rows({ text: 'DROP TABLE svc_api_keys' });
    await body((...args) => svcInProcess(['keys', ...args], { DATABASE_URL: url, SVC_ACTOR: 'grace' }), drop);
  });

const grant = ['--name', 'till 7', '--permissions', 'orders:read', '--user', 'ada'];

test('a key is printed once, and a list shows no key', () =>
  withKeys(async (run) => {
    assert.is((await run('list')).stdout, 'There are no API keys.\n');
    const { code, stdout, stderr } = await run('create', ...grant);
    assert.equal([code, stderr], [0, '']);
    assert.match(stdout, /^svc_[0-9a-f]{8}_[\w-]{43}\n$/);
    const json = JSON.parse((await run('create', ...grant, '--json')).stdout) as object;
    assert.equal(Object.keys(json), ['id', 'key']);
    const listed = (await run('list')).stdout;
    assert.match(listed, new RegExp(`^${stdout.slice(0, 12)}  till 7  orders:read  user ada  created 2`));
    assert.is(listed.includes(stdout.slice(13).trim()), false);
  }));

test('a key is revoked once', () =>
  withKeys(async (run) => {
    const prefix = (await run('create', ...grant)).stdout.slice(0, 12);
    assert.is((await run('revoke', prefix)).stdout, `The key ${prefix} is revoked.\n`);
    assert.match((await run('revoke', prefix)).stderr, `The key ${prefix} is already revoked.`);
    assert.match((await run('revoke', '00000000')).stderr, 'There is no key svc_00000000.');
    assert.match((await run('list')).stdout, /  revoked 2/);
  }));

test('a store without the table asks for a migration', () =>
  withKeys(async (run, drop) => {
    await drop();
    for (const args of [['list'], ['create', ...grant]]) {
      const { code, stderr } = await run(...args);
      assert.is(code, 1);
      assert.match(stderr, /^svc: [^\n]*run svc migrate, or start a host\.\n$/);
    }
  }));
