import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../kit/database.js';
import { describeFiles } from '../schema/described-files.js';
import { files } from '../schema/generated/files.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('the tables that a move copies');

/** About the database itself, and the hosts that run on it. */
const left = ['svc_hosts', 'svc_leases', 'svc_move'];
/** Their segments are copied. */
const logs = ['svc_events', 'svc_system_events'];

test('every table of the schema is copied, but those about the database and its hosts; each segment is one', () =>
  withMigratedDatabase(async ({ connect }) => {
    const copied = (await connect().rows({ text: 'SELECT name FROM svc_copied_tables()' })).map(
      ([name]) => name ?? '',
    );
    const made = (await describeFiles(files)).flatMap(({ relations }) => relations.map(({ name }) => name));
    const tables = await connect().rows({
      text: `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    });
    const all = tables.map(([name]) => name ?? '').filter((name) => made.includes(name));
    assert.ok(all.length > 40);
    const expected = [
      ...all.filter((name) => ![...left, ...logs].includes(name)),
      // One is made ahead of time.
      ...logs.flatMap((log) => [`${log}_0`, `${log}_${2 ** 24}`]),
    ];
    assert.equal(copied.toSorted(), expected.toSorted());
  }));

test('tables of the application and read models are copied, those of a rebuild and what does not outlive a crash are not', () =>
  withMigratedDatabase(async ({ connect, url }) => {
    await execute(
      url,
      'CREATE TABLE bakers (a int); CREATE TABLE svc_per_a (a int); CREATE TABLE svc_new_per_a (a int); CREATE UNLOGGED TABLE seen (a int)',
    );
    const text = `SELECT name FROM svc_copied_tables() WHERE name IN ('bakers', 'svc_per_a', 'svc_new_per_a', 'seen') ORDER BY 1`;
    assert.equal(await connect().rows({ text }), [['bakers'], ['svc_per_a']]);
  }));
