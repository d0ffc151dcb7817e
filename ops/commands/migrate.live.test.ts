import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { withShop } from '../testing/shop-application.js';
import { svc as spawnSvc } from '../testing/spawned-host.js';

const test = suite('svc migrate and svc check migrations');

test('a dry run prints the steps and their SQL, and changes nothing', () =>
  withShop({ '1-loaves.sql': 'CREATE TABLE loaves (id int)' }, async (app, url) => {
    const { code, stdout } = await svc(['migrate', app, '--dry-run'], { DATABASE_URL: url });
    assert.is(code, 0);
    assert.match(stdout, '-- would apply svc/tables (DirectDdl)');
    assert.match(
      stdout,
      /-- would apply migrations\/1-loaves\.sql \(DirectDdl\)\nBEGIN;\nCREATE TABLE loaves \(id int\);\nCOMMIT;/,
    );
    assert.equal(
      await query(url, "SELECT count(*) FROM pg_class WHERE relname IN ('loaves', 'svc_schema_migrations')"),
      [['0']],
    );
  }));

test('a dry run of a column copy prints every stage', () =>
  withShop({ '2.sql': '-- svc: column-copy table=loaves column=weight type=bigint' }, async (app, url) => {
    await query(url, 'CREATE TABLE loaves (weight int NOT NULL); CREATE INDEX heavy ON loaves (weight)');
    const { stdout } = await svc(['migrate', app, '--dry-run', '--json'], { DATABASE_URL: url });
    const steps = JSON.parse(stdout) as { key: string; strategy: string; status: string; sql: string[] }[];
    const { key, strategy, status, sql = [] } = steps.at(-1) ?? {};
    assert.equal([key, strategy, status], ['migrations/2.sql', 'ColumnCopy', 'Applied']);
    for (const stage of [
      'ADD COLUMN',
      'SKIP LOCKED',
      'count(*)',
      'CREATE INDEX CONCURRENTLY',
      'NOT VALID',
      'RENAME COLUMN',
    ])
      assert.ok(
        sql.some((text) => text.includes(stage)),
        stage,
      );
  }));

test('a dry run works without a store', () =>
  withFolder(async (folder) => {
    const { code, stdout } = await svc(['migrate', '--dry-run'], { SVC_DATA_DIR: join(folder, 'none') });
    assert.is(code, 0);
    assert.match(stdout, /-- \d+ to do, 0 unchanged\n$/);
  }));

test('a run applies and reports each item and stores the events; a second run has nothing to do', () =>
  withShop({ '1-loaves.sql': 'CREATE TABLE loaves (id int)' }, async (app, url) => {
    const env = { DATABASE_URL: url, SVC_ACTOR: 'ann' };
    const first = await spawnSvc(['migrate', app, '--reason', 'release 7'], env);
    assert.is(first.code, 0, first.stderr);
    assert.match(
      first.stdout,
      /Applied +migrations\/1-loaves\.sql +DirectDdl +\d+ ms {2}applied for the first time/,
    );
    const second = await svc(['migrate', app, '--json'], { DATABASE_URL: url });
    const outcomes = JSON.parse(second.stdout) as { status: string }[];
    assert.equal([...new Set(outcomes.map(({ status }) => status))], ['Skipped']);
    assert.equal(
      await query(url, "SELECT count(*) FROM svc_system_stream WHERE event_type = 'MigrationBatchCompleted'"),
      [['2']],
    );
    const acted = await query(
      url,
      `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason' FROM svc_system_stream
        WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
    );
    assert.equal(acted, [
      ['migrate', app, 'ann', 'release 7'],
      ['migrate', app, userInfo().username, null],
    ]);
  }));

test('a run that fails reports it on one line and exits with 1', () =>
  withShop({ '1.sql': 'SELECT 1 / 0' }, async (app, url) => {
    const { code, stdout, stderr } = await spawnSvc(['migrate', app], { DATABASE_URL: url });
    assert.equal([code, stderr], [1, 'svc: Migration migrations/1.sql failed: division by zero\n']);
    assert.match(stdout, /Failed +migrations\/1\.sql/);
    assert.equal(
      await query(
        url,
        "SELECT data ->> 'failureReason' FROM svc_system_stream WHERE event_type = 'MigrationItemFailed'",
      ),
      [['1']],
    );
  }));

test('a dry run, a check and a run report the same about a file that was edited after it was applied', () =>
  withShop({ '1.sql': 'CREATE TABLE loaves (id int);', '2.sql': 'SELECT 2' }, async (app, url) => {
    const env = { DATABASE_URL: url };
    await svc(['migrate', app], env);
    assert.is((await svc(['check', 'migrations', app], env)).code, 0);
    await writeFile(join(app, 'migrations', '1.sql'), 'CREATE TABLE loaves (id bigint);');
    const text =
      /it was applied with the hash [0-9a-f]{64} and now has [0-9a-f]{64}; undo the edit .* new file, or /;
    const dry = await svc(['migrate', app, '--dry-run'], env);
    assert.match(dry.stdout, new RegExp(`would fail: migrations/1.sql: ${text.source}`));
    assert.match(dry.stdout, 'would fail: migrations/2.sql: not run: migrations/1.sql failed');
    const planned = JSON.parse((await svc(['migrate', app, '--dry-run', '--json'], env)).stdout) as {
      status: string;
    }[];
    assert.equal(
      planned.slice(-2).map(({ status }) => status),
      ['Failed', 'Failed'],
    );
    const check = await svc(['check', 'migrations', app], env);
    assert.match(check.stdout, new RegExp(`^migrations/1.sql:1: error edited: ${text.source}`));
    const run = await svc(['migrate', app], env);
    assert.match(run.stderr, new RegExp(`^svc: Migration migrations/1.sql failed: ${text.source}.*\n$`));
    assert.equal([dry.code, check.code, run.code], [1, 1, 1]);
  }));

test('the clean-up drops columns that were copied', () =>
  withShop({ '2.sql': '-- svc: column-copy table=loaves column=weight type=bigint' }, async (app, url) => {
    await query(url, 'CREATE TABLE loaves (weight int)');
    const migrated = await svc(['migrate', app], { DATABASE_URL: url });
    assert.equal([migrated.code, migrated.stderr], [0, '']);
    assert.is(
      (await svc(['migrate', '--clean', '--dry-run'], { DATABASE_URL: url })).stdout,
      '-- would drop column loaves.weight__svc_old\nALTER TABLE loaves DROP COLUMN "weight__svc_old";\n',
    );
    assert.is(
      (await svc(['migrate', '--clean'], { DATABASE_URL: url })).stdout,
      'dropped column loaves.weight__svc_old\n',
    );
    assert.is((await svc(['migrate', '--clean'], { DATABASE_URL: url })).stdout, 'Nothing to clean up.\n');
    const acted = "SELECT data->>'target' FROM svc_system_stream WHERE data->>'action' = 'migrate clean'";
    assert.equal(await query(url, acted), [['column loaves.weight__svc_old']]);
  }));

test('check names file and line of what breaks running code, and exits with 1', () =>
  withShop({ '1.sql': 'SELECT 1;\nALTER TABLE loaves DROP COLUMN weight;' }, async (app) => {
    const { code, stdout } = await spawnSvc(['check', 'migrations', app]);
    assert.is(code, 1);
    assert.match(
      stdout,
      /^migrations\/1\.sql:2: error drop: running code still uses what is dropped\n {2}instead: /,
    );
    const [finding] = JSON.parse((await svc(['check', 'migrations', app, '--json'])).stdout) as {
      line: number;
    }[];
    assert.is(finding?.line, 2);
  }));

test('check exits with 0 when code only has to wait, or nothing is wrong', () =>
  withShop({ '1.sql': 'CREATE INDEX heavy ON loaves (weight)' }, async (app) => {
    const { code, stdout } = await svc(['check', 'migrations', app]);
    assert.is(code, 0);
    assert.match(stdout, /^migrations\/1\.sql:1: warning index-without-concurrently/);
    await writeFile(join(app, 'migrations/1.sql'), 'SELECT 1');
    assert.is((await svc(['check', 'migrations', app])).stdout, '1 files checked, no findings.\n');
  }));

for (const args of [['migrate', 'a', 'b'], ['migrate', '--now'], ['check'], ['check', 'everything']]) {
  test(`svc ${args.join(' ')} is refused on one line`, async () => {
    const { code, stderr } = await svc(args);
    assert.is(code, 1);
    assert.match(stderr, /^svc: [^\n]+; see svc \w+ --help\.\n$/);
  });
}
