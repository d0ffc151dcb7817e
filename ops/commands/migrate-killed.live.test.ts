import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('a migration that is killed');

const table = `CREATE TABLE loaves (id serial PRIMARY KEY, weight int NOT NULL);
INSERT INTO loaves (weight) SELECT n FROM generate_series(1, 5000) n`;
const copying = '-- svc: column-copy table=loaves column=weight type=numeric(9,3) using=weight / 1000.0';
const concurrently = `INSERT INTO loaves (weight) VALUES (-1);
CREATE INDEX CONCURRENTLY IF NOT EXISTS heavy ON loaves (weight);
INSERT INTO loaves (weight) VALUES (-2);`;

const kilograms =
  "SELECT count(*) FROM loaves WHERE weight = id / 1000.0 AND pg_typeof(weight)::text = 'numeric'";

for (const [failpoint, sql, status, expected] of [
  ['migration-before-commit', 'INSERT INTO loaves (weight) VALUES (-1)', undefined, [['1']]],
  ['migration-statement-done', concurrently, '-1', [['2']]],
  ['migration-statement-done@2', concurrently, '-1', [['2']]],
  ['column-copy-expanded', copying, undefined, [['5000']]],
  ['column-copy-batch@2', copying, undefined, [['5000']]],
  ['column-copy-filled', copying, undefined, [['5000']]],
  ['column-copy-swapping', copying, undefined, [['5000']]],
] as const) {
  test(`at ${failpoint} it is applied by the next start, as a whole and once`, () =>
    withKilled(failpoint, sql, async (url, again) => {
      const ledger = () =>
        query(url, "SELECT status FROM svc_schema_migrations WHERE migration_key = 'migrations/1.sql'");
      assert.equal(await ledger(), status === undefined ? [] : [[status]]);
      // Writers do not notice, whatever the migration was doing.
      if (sql === copying) await query(url, 'UPDATE loaves SET weight = weight WHERE id % 7 = 0');
      await again();
      assert.equal(await ledger(), [['1']]);
      const count = sql === copying ? kilograms : 'SELECT count(*) FROM loaves WHERE weight < 0';
      assert.equal(await query(url, count), expected);
      assert.equal(await query(url, "SELECT tgname FROM pg_trigger WHERE tgrelid = 'loaves'::regclass"), []);
    }));
}

test('who ran it is recorded before its first step', () =>
  withKilled('migration-before-commit', 'SELECT 1', async (url) => {
    const acted = `SELECT data ->> 'action' FROM svc_system_stream WHERE event_type = 'OperatorActed'`;
    assert.equal(await query(url, acted), [['migrate']]);
  }));

/** An application whose migration died at a failpoint, and its next start. */
function withKilled(
  failpoint: string,
  sql: string,
  body: (url: string, again: () => Promise<void>) => Promise<void>,
) {
  return withFolder((app) =>
    withStore(async (url) => {
      await mkdir(join(app, 'migrations'));
      await writeFile(join(app, 'package.json'), '{"main":"main.mjs"}');
      const main = "export default { name: 'shop', create: () => ({ endpoints: [], receptors: [] }) };";
      await writeFile(join(app, 'main.mjs'), main);
      await query(url, table);
      const env = { DATABASE_URL: url };
      await writeFile(join(app, 'migrations/1.sql'), sql);
      const killed = await svc(['migrate', app], { ...env, SVC_FAILPOINTS: failpoint });
      assert.is(killed.code, null, `${killed.stdout}${killed.stderr}`);
      await body(url, async () => {
        const { code, stderr } = await svcInProcess(['migrate', app], env);
        assert.is(code, 0, stderr);
      });
    }),
  );
}
