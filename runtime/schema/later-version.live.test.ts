import * as assert from 'uvu/assert';
import { MigrationStatus } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { migrate } from '../migrations/migrate.js';
import { query } from '../migrations/testing/migrations.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { schemaOf, type SchemaVersion } from './items.js';

const test = suite('a later version of the schema');

/** An invented one: a column and a table, once, and a commit of its own beside the one of this version. */
function later(greeting = 'hello'): SchemaVersion {
  const { files } = schemaOf('svc_runtime');
  const more = [
    { key: 'svc/notes', sql: 'ALTER TABLE svc_store ADD COLUMN note text; CREATE TABLE svc_notes (n int)' },
    {
      key: 'svc/commit-v2',
      sql: `CREATE OR REPLACE PROCEDURE svc_commit_v2(INOUT r text DEFAULT NULL) LANGUAGE plpgsql AS $$
        BEGIN r := '${greeting}'; END $$; GRANT EXECUTE ON PROCEDURE svc_commit_v2 TO svc_runtime`,
      again: '',
    },
  ];
  return { version: '99.0.0', files: [...files, ...more] };
}

const event = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

const statusesOf = async (ownerUrl: string, schema?: SchemaVersion) => {
  const { steps } = await migrate({ ownerUrl, ...(schema === undefined ? {} : { schema }) });
  return new Map(steps.map(({ key, becomes }) => [key, becomes]));
};

test('it adds to the baseline, once and repeatably, and hosts of both versions commit side by side', () =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const first = await statusesOf(url, later());
    assert.is(first.get('svc/tables'), MigrationStatus.Skipped);
    assert.is(first.get('svc/notes'), MigrationStatus.Applied);
    assert.equal(await statusesOf(url), new Map([...first].slice(0, -2).map(([key]) => [key, 3])));
    await openStore().append(newUuid(), event());
    assert.equal(await connect().rows({ text: 'CALL svc_commit_v2()' }), [['hello']]);
    const second = await statusesOf(url, later('good day'));
    assert.equal(
      [second.get('svc/notes'), second.get('svc/commit-v2')],
      [MigrationStatus.Skipped, MigrationStatus.Updated],
    );
    assert.equal(await connect().rows({ text: 'CALL svc_commit_v2()' }), [['good day']]);
    await openStore().append(newUuid(), event());
    assert.equal(await query(url, 'SELECT count(*) FROM svc_events'), [['2']]);
  }));

test('a repeatable file of the later version is not set back by a host of the earlier one', () =>
  withMigratedDatabase(async ({ url }) => {
    const { files } = schemaOf('svc_runtime');
    const changed = files.map((file) =>
      file.again === undefined ? file : { ...file, sql: `${file.sql}\n-- later` },
    );
    await statusesOf(url, { version: '99.0.0', files: changed });
    const hash = await query(
      url,
      "SELECT hash FROM svc_schema_migrations WHERE migration_key = 'svc/privileges'",
    );
    assert.is((await statusesOf(url)).get('svc/privileges'), MigrationStatus.Skipped);
    assert.equal(
      await query(url, "SELECT hash FROM svc_schema_migrations WHERE migration_key = 'svc/privileges'"),
      hash,
    );
  }));
