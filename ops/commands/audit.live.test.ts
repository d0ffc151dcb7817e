import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { startCli, svc as spawnSvc } from '../testing/spawned-host.js';
import { linesOf, recordsIn, withLedger } from '../testing/audit-ledger.js';

const test = suite('svc audit export and tail');

test('export writes every record, or a range, as lines of JSON', () =>
  withLedger(async ({ env, record }) => {
    for (let n = 1; n <= 4; n++) await record('ShopInspected', { n });
    const all = await spawnSvc(['audit', 'export'], env);
    assert.equal([all.code, all.stderr], [0, '']);
    assert.equal(
      recordsIn(all.stdout).map(({ position, data }) => [position, data]),
      [1, 2, 3, 4].map((n) => [n, { n }]),
    );
    const some = await spawnSvc(['audit', 'export', '--from', '2', '--to', '3'], env);
    assert.equal(
      recordsIn(some.stdout).map(({ position }) => position),
      [2, 3],
    );
  }));

test('export waits for a slow reader and loses nothing', () =>
  withLedger(({ env, record }) =>
    withFolder(async () => {
      const body = 'x'.repeat(300_000);
      for (let n = 1; n <= 12; n++) await record('CommandAudited', { body });
      const { stdout } = await spawnSvc(['audit', 'export'], env);
      assert.is(recordsIn(stdout).length, 12);
    }),
  ));

test('export ends quietly when its reader closes the pipe', () =>
  withLedger(async ({ env, record }) => {
    for (let n = 1; n <= 12; n++) await record('CommandAudited', { body: 'x'.repeat(300_000) });
    const cli = startCli(['audit', 'export'], env);
    cli.onLine(() => cli.leave());
    const { code } = await cli.ended;
    assert.equal([code, cli.output.stderr.join('')], [0, '']);
  }));

test('tail shows the last 20 records, for people or as JSON', () =>
  withLedger(async ({ env, record }) => {
    for (let n = 1; n <= 25; n++) await record('CommandAudited', { commandType: `Command${n}` });
    const { code, stdout } = await spawnSvc(['audit', 'tail'], env);
    assert.is(code, 0);
    assert.is(linesOf(stdout).length, 20);
    assert.match(stdout, /^6 {2}.*Command6\n/);
    assert.match(stdout, /Command25\n$/);
    const json = await spawnSvc(['audit', 'tail', '--json'], env);
    assert.equal(
      recordsIn(json.stdout).map(({ position }) => position),
      Array.from({ length: 20 }, (_, n) => n + 6),
    );
  }));

test('tail filters by correlation, user, tenant and type; every filter must match', () =>
  withLedger(async ({ env, record }) => {
    await record('CommandAudited', { correlationId: 'c-1', userId: 'ada', tenantId: 'acme' });
    await record('EventAudited', { correlationId: 'c-1', userId: 'ada', tenantId: 'acme' });
    await record('CommandAudited', { correlationId: 'c-2', userId: 'bob', tenantId: 'acme' });
    const shown = async (...args: string[]) =>
      recordsIn((await spawnSvc(['audit', 'tail', '--json', ...args], env)).stdout).map(
        ({ position }) => position,
      );
    assert.equal(await shown('--correlation', 'c-1'), [1, 2]);
    assert.equal(await shown('--user', 'bob'), [3]);
    assert.equal(await shown('--tenant', 'acme'), [1, 2, 3]);
    assert.equal(await shown('--type', 'CommandAudited', '--user', 'ada'), [1]);
    assert.equal(await shown('--type', "x'; DROP TABLE svc_events; --"), []);
  }));

test('tail --follow shows new records until a signal', () =>
  withLedger(async ({ env, record }) => {
    await record('CommandAudited', { commandType: 'Before' });
    const cli = startCli(['audit', 'tail', '--follow', '--json', '--type', 'CommandAudited'], env);
    const seen: string[] = [];
    const came = (count: number) =>
      new Promise<void>((resolve) =>
        cli.onLine((line) => {
          seen.push((JSON.parse(line) as { data: { commandType: string } }).data.commandType);
          if (seen.length === count) resolve();
        }),
      );
    const three = came(3);
    await record('EventAudited', { commandType: 'Hidden' });
    await record('CommandAudited', { commandType: 'First' });
    await record('CommandAudited', { commandType: 'Second' });
    await three;
    assert.equal(seen, ['Before', 'First', 'Second']);
    assert.is((await cli.kill('SIGINT')).code, 0);
  }));

test('bad arguments are reported on one line, and --help has an example', async () => {
  for (const [args, mistake] of [
    [[], /Give one action: svc audit verify, tail or export/],
    [['bake'], /Give one action/],
    [['verify', 'twice'], /Give one action/],
    [['verify', '--follow'], /--follow is not an option of verify/],
    [['export', '--from', '0'], /--from must be a position, not '0'/],
    [['export', '--from', '5', '--to', '4'], /--to 4 is before --from 5/],
    [['export', '--heads', '--from', '5'], /--from and --to select records/],
    [['export', '--origin', newUuid()], /--origin selects the heads of one store/],
    [['export', '--heads', '--origin', 'north'], /--origin must be the id of a store, not 'north'/],
    [['tail', '--loud'], /Unknown option '--loud'/],
  ] as const) {
    const result = await svc(['audit', ...args], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    assert.equal([result.code, result.stdout], [1, '']);
    assert.match(result.stderr, /^svc: [^\n]+\n$/);
    assert.match(result.stderr, mistake);
  }
  const help = await spawnSvc(['audit', '--help']);
  assert.is(help.code, 0);
  assert.match(help.stdout, /svc audit verify --json > head\.json/);
});

test('a database without a store is reported', () =>
  withFolder(async (folder) => {
    const result = await svc(['audit', 'verify'], { SVC_DATA_DIR: join(folder, 'none') });
    assert.is(result.code, 1);
    assert.match(result.stderr, /^svc: There is no store in .*; start a host first/);
  }));
