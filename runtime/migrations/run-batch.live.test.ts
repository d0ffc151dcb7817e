import * as assert from 'uvu/assert';
import { MigrationBatchCompleted, MigrationBatchStarted } from '../../contracts/events/migration.js';
import { Event } from '../../contracts/message.js';
import { MigrationStatus } from '../../contracts/migration.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { applicationItems, noApplicationItems } from './application-migrations.js';
import { migrate, tryToMigrate } from './migrate.js';
import { perspectiveItems } from './perspective-items.js';
import { migrateFiles, query } from './testing/migrations.js';

const test = suite('migration batch');

class Baked extends Event {}

test('a start that skips an item keeps its strategy in the ledger', () =>
  withDatabase(async (url) => {
    await query(url, 'CREATE TABLE loaves (weight int)');
    const perspective = (columns: AnyPerspective['columns']) => {
      const loaves = { name: 'loaves', events: [Baked], initial: () => ({}), apply: () => ({}), columns };
      return { ...noApplicationItems, items: perspectiveItems([loaves as AnyPerspective]) };
    };
    const strategy = `SELECT strategy FROM svc_schema_migrations WHERE migration_key = 'perspective/loaves'`;
    const grown = perspective({ crust: { type: 'text', of: () => 'thick' } });
    for (const application of [perspective({}), grown, grown]) await migrate({ ownerUrl: url, application });
    assert.equal(await query(url, strategy), [['ColumnCopy']]);
  }));

test('files after a failed one are not run but are in the results; perspectives continue', () =>
  withDatabase(async (url) => {
    const files = { 'a.sql': 'CREATE TABLE a ()', 'b.sql': 'SELECT nope', 'c.sql': 'CREATE TABLE c ()' };
    const fromFiles = applicationItems(Object.entries(files).map(([name, sql]) => ({ name, sql })));
    const loaves = { name: 'loaves', events: [Baked], initial: () => ({}), apply: () => ({}) };
    const application = { ...fromFiles, items: [...fromFiles.items, ...perspectiveItems([loaves])] };
    const { batch } = await tryToMigrate({ ownerUrl: url, application });
    const [started, completed] = [batch.events.at(0), batch.events.at(-1)];
    assert.instance(started, MigrationBatchStarted);
    assert.instance(completed, MigrationBatchCompleted);
    const { results, applied, updated, skipped, failed } = completed as MigrationBatchCompleted;
    const announced = started as MigrationBatchStarted;
    assert.is(results.length, announced.totalMigrations + announced.totalPerspectives);
    assert.equal(
      results
        .slice(-4)
        .map(({ migrationKey, status, statusDescription }) => [
          migrationKey,
          status,
          /^not run/.test(statusDescription) ? statusDescription : '',
        ]),
      [
        ['migrations/a.sql', MigrationStatus.Applied, ''],
        ['migrations/b.sql', MigrationStatus.Failed, ''],
        ['migrations/c.sql', MigrationStatus.Failed, 'not run: migrations/b.sql failed'],
        ['perspective/loaves', MigrationStatus.Applied, ''],
      ],
    );
    assert.equal([applied, updated, skipped, failed], [results.length - 2, 0, 0, 2]);
    const mentions = batch.events.filter(
      (event) => 'migrationKey' in event && event.migrationKey === 'migrations/c.sql',
    );
    assert.equal(mentions, []);
    assert.equal(await query(url, "SELECT to_regclass('c'), to_regclass('svc_per_loaves') IS NOT NULL"), [
      [null, 'true'],
    ]);
    assert.equal(
      await query(url, "SELECT 1 FROM svc_schema_migrations WHERE migration_key = 'migrations/c.sql'"),
      [],
    );
  }));

test('a background replay is in the results and in none of the counts', () =>
  withDatabase(async (url) => {
    const perspective = (version: number) => {
      const loaves = { name: 'loaves', version, events: [Baked], initial: () => ({}), apply: () => ({}) };
      return { ...noApplicationItems, items: perspectiveItems([loaves]) };
    };
    await migrate({ ownerUrl: url, application: perspective(1) });
    const { batch } = await migrate({ ownerUrl: url, application: perspective(2) });
    const { results, applied, updated, skipped, failed } = batch.events.at(-1) as MigrationBatchCompleted;
    assert.is(results.at(-1)?.status, MigrationStatus.MigratingInBackground);
    assert.equal([applied, updated, skipped, failed], [0, 0, results.length - 1, 0]);
  }));

test('a batch reports its start, every item, and its end with all results', () =>
  withMigratedDatabase(async ({ url }) => {
    const { batch } = await migrateFiles(url, { 'a.sql': 'CREATE TABLE a ()', 'b.sql': 'CREATE TABLE a ()' });
    const names = batch.events.map((event) => event.constructor.name);
    const steps = batch.outcomes.length;
    assert.is(names[0], 'MigrationBatchStarted');
    assert.equal(names.slice(-3), ['MigrationItemStarted', 'MigrationItemFailed', 'MigrationBatchCompleted']);
    assert.is(names.filter((name) => name === 'MigrationItemStarted').length, steps);
    assert.is(names.filter((name) => name === 'MigrationItemCompleted').length, steps - 1);
    assert.is(new Set(batch.events.map(({ streamId }) => streamId)).size, 1);
    const { results, ...counts } = JSON.parse(JSON.stringify(batch.events.at(-1))) as {
      results: { migrationKey: string; status: number }[];
    } & Record<string, unknown>;
    assert.equal(
      results.slice(-2).map(({ migrationKey, status }) => [migrationKey, status]),
      [
        ['migrations/a.sql', 1],
        ['migrations/b.sql', -1],
      ],
    );
    assert.equal(
      [counts['applied'], counts['updated'], counts['skipped'], counts['failed']],
      [1, 0, steps - 2, 1],
    );
    assert.match(String(counts['totalDuration']), /^PT[\d.]+S$/);
  }));
