import * as assert from 'uvu/assert';
import { MigrationStatus } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database, Row } from '../database/database.js';
import { postgresLeases } from '../leases/postgres-leases.js';
import { sharesOf } from '../leases/shares.js';
import { migrate } from '../migrations/migrate.js';
import { query } from '../migrations/testing/migrations.js';
import { encodeUnit } from '../store/encode-unit.js';
import { commitCall, flushParameters } from '../store/flush-call.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { files } from './generated/files.js';
import { schemaOf, type SchemaVersion } from './items.js';

const test = suite('a later version of the schema');

/** Made from the text of this version, as the next one would be. */
function commitOfLater(more: string): string {
  const { sql = '' } = files.find(({ name }) => name === '080-commit') ?? {};
  const procedure = sql.slice(
    sql.indexOf('CREATE PROCEDURE svc_commit_v1'),
    sql.indexOf('-- Removes answers'),
  );
  return procedure
    .replace('CREATE PROCEDURE svc_commit_v1', 'CREATE OR REPLACE PROCEDURE svc_commit_v2')
    .replace('  COMMIT;', `  PERFORM svc_note_units(cardinality(unit_pairs)${more});\n  COMMIT;`);
}

/** An invented one: a column and a table, once, and a commit that also notes how many units each host has sent. */
function later(more = ''): SchemaVersion {
  const { files: present } = schemaOf('svc_runtime');
  const added = [
    {
      key: 'svc/notes',
      sql: `ALTER TABLE svc_store ADD COLUMN note text; CREATE TABLE svc_notes (units int);
        CREATE FUNCTION svc_note_units(p_units int) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
          AS $$ INSERT INTO svc_notes VALUES (p_units) $$`,
    },
    {
      key: 'svc/commit-v2',
      sql: `${commitOfLater(more)}; GRANT EXECUTE ON PROCEDURE svc_commit_v2 TO svc_runtime`,
      again: '',
    },
  ];
  return { version: '99.0.0', files: [...present, ...added] };
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

/** Commits one event as a host of the later version does. */
async function commitAsLater(database: Database): Promise<Row> {
  const session = await database.session();
  try {
    const text = commitCall.replace('svc_commit_v1', 'svc_commit_v2');
    const unit = encodeUnit(
      { events: [{ streamId: newUuid(), envelope: event() }], records: [], expected: new Map() },
      0,
    );
    return await session.prepared({ name: 'svc_commit_v2', text })(
      flushParameters(newUuid(), 1, 'later', [unit]),
    );
  } finally {
    session.release();
  }
}

test('it adds to the baseline, once and repeatably, and hosts of both versions commit side by side', () =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const first = await statusesOf(url, later());
    assert.is(first.get('svc/tables'), MigrationStatus.Skipped);
    assert.is(first.get('svc/notes'), MigrationStatus.Applied);
    assert.equal(await statusesOf(url), new Map([...first].slice(0, -2).map(([key]) => [key, 3])));
    const [store, newer] = [openStore('earlier'), connect()];
    const both = Array.from({ length: 10 }, () => [store.append(newUuid(), event()), commitAsLater(newer)]);
    await Promise.all(both.flat());
    const second = await statusesOf(url, later(' + 100'));
    assert.equal(
      [second.get('svc/notes'), second.get('svc/commit-v2')],
      [MigrationStatus.Skipped, MigrationStatus.Updated],
    );
    assert.match((await commitAsLater(newer))[0] ?? '', '{1}');
    await store.append(newUuid(), event());
    assert.equal(await query(url, 'SELECT host, count(*) FROM svc_events GROUP BY host ORDER BY host'), [
      ['earlier', '11'],
      ['later', '11'],
    ]);
    const rest =
      'SELECT max(global_position) = count(*), (SELECT array_agg(units ORDER BY units) FROM svc_notes) FROM svc_events';
    assert.equal(await query(url, rest), [['true', `{${'1,'.repeat(10)}101}`]]);
  }));

test('while a host of the later version runs, it has the leases', () =>
  withMigratedDatabase(async ({ connect }) => {
    const names = ['outbox', 'inbox'];
    const hosts = ['98.0.0', '99.0.0'].map((version) => {
      const self = { owner: newUuid(), name: version, version, broadcast: null };
      return { self, leases: postgresLeases(connect(), self) };
    });
    const turns = async (): Promise<string[][]> => {
      const held: string[][] = [];
      for (const { self, leases } of hosts) {
        const live = await leases.hosts(60_000);
        held.push([...(await leases.turn(sharesOf([names], self, live), 60_000, [])).held].toSorted());
      }
      return held;
    };
    assert.equal(await turns(), [names.toSorted(), []], 'the earlier one was alone');
    await turns();
    await turns();
    assert.equal(await turns(), [[], names.toSorted()]);
  }));

test('a repeatable file of the later version is not set back by a host of the earlier one', () =>
  withMigratedDatabase(async ({ url }) => {
    const { files: present } = schemaOf('svc_runtime');
    const changed = present.map((file) =>
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
