import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { declareFlags } from '../../runtime/flags/change-flag.js';
import type { ListedFlag } from '../../runtime/flags/read-flags.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { svcInProcess } from '../testing/in-process-cli.js';

const test = suite('svc flags');

type Run = (...args: string[]) => ReturnType<typeof svcInProcess>;

const withFlags = (body: (run: Run, database: Database) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect }) => {
    const database = connect();
    await declareFlags(database, ['gift-wrap', 'fast-lane']);
    const env = { DATABASE_URL: url, SVC_ACTOR: 'boss' };
    await body((...args) => svcInProcess(['flags', ...args], env), database);
  });

test('a flag is turned on, set and turned off, each time with its FlagChanged', () =>
  withFlags(async (run, database) => {
    const on = await run('on', 'gift-wrap', '--tenant', 'acme', '--reason', 'a pilot');
    assert.equal([on.code, on.stdout], [0, 'gift-wrap is off, on for tenant acme.\n']);
    const set = await run('set', 'gift-wrap', '--percent', '25', '--json');
    const rules = { on: false, percent: 25, tenants: { acme: true }, users: {} };
    assert.equal(JSON.parse(set.stdout), { name: 'gift-wrap', changed: true, ...rules });
    const again = await run('set', 'gift-wrap', '--percent', '25');
    assert.is(again.stdout, 'gift-wrap is on for 25 % of users, on for tenant acme, as it was.\n');
    assert.is((await run('off', 'gift-wrap')).stdout, 'gift-wrap is off.\n');
    const rows = await database.rows({
      text: `SELECT data ->> 'actor', data ->> 'reason', data -> 'after' ->> 'percent' FROM svc_system_stream
        WHERE event_type = 'FlagChanged' ORDER BY stream_position`,
    });
    assert.equal(rows, [
      ['boss', 'a pilot', null],
      ['boss', null, '25'],
      ['boss', null, null],
    ]);
  }));

test('the list shows every declared flag, its state, and who changed it', () =>
  withFlags(async (run) => {
    await run('on', 'gift-wrap', '--reason', 'released');
    await run('on', 'other', '--new');
    const [fast, gift, other] = (await run('list')).stdout.split('\n');
    assert.is(fast, 'fast-lane  off');
    assert.match(gift ?? '', /^gift-wrap  on \(boss, \d{4}-\d\d-\d\dT[\d:.]+Z: released\)$/);
    assert.match(other ?? '', /^other      on, used by no host \(boss, /);
    const json = JSON.parse((await run('list', '--json')).stdout) as ListedFlag[];
    assert.equal(json[0], { name: 'fast-lane', declared: true, on: false, tenants: {}, users: {} });
    assert.equal([json[1]?.on, json[1]?.changed?.by], [true, 'boss']);
  }));

test('a misspelled name is refused in one line', () =>
  withFlags(async (run) => {
    const { code, stdout, stderr } = await run('on', 'gift-warp');
    assert.is.not(code, 0);
    assert.is(stdout, '');
    assert.match(
      stderr,
      /^svc: There is no flag gift-warp; known are fast-lane, gift-wrap; --new creates it; see/,
    );
    assert.is(stderr.trim().split('\n').length, 1);
  }));
