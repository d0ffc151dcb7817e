import * as assert from 'uvu/assert';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from '../../contracts/migration.js';
import { Event } from '../../contracts/message.js';
import type { AnyPerspective, Perspective } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { ownerAt } from '../database/schema-owner.js';
import { perspectiveTable } from '../perspectives/tables/perspective-table.js';
import { withDatabase } from '../kit/database.js';
import { noApplicationItems } from './application-migrations.js';
import { replayStep, replaysOf } from './replay-in-background.js';
import { dropReplaced, findReplaced } from './drop-replaced.js';
import { tryToMigrate } from './migrate.js';
import { perspectiveItems } from './perspective-items.js';
import { ledgerRow, query } from './testing/migrations.js';

const test = suite('perspective tables');

test('a perspective without a table gets one, and is not touched from then on', () =>
  withDatabase(async (url) => {
    assert.equal(await start(url, loaves()), [MigrationStatus.Applied, MigrationStrategy.DirectDdl]);
    assert.equal(await start(url, loaves()), [MigrationStatus.Skipped, MigrationStrategy.DirectDdl]);
    assert.equal(await query(url, 'SELECT * FROM svc_per_loaves'), []);
  }));

test('a table gets the indexes that it lacks, without a replay', () =>
  withLoaves(async (url) => {
    const { table, hash } = perspectiveTable(loaves());
    const indexes = `SELECT indexname FROM pg_indexes WHERE tablename = '${table}' AND indexname LIKE 'svc_by%' ORDER BY 1`;
    const [id, kind] = ['id', 'kind'].map((name) => `svc_by_${hash.slice(0, 8)}_${name}`);
    await query(url, `DROP INDEX ${id}, ${kind}`);
    assert.equal((await start(url, loaves()))[0], MigrationStatus.Skipped);
    assert.equal(await query(url, indexes), [[id], [kind]]);
    assert.equal(await query(url, 'SELECT count(*) FROM svc_per_loaves'), [['2']]);
    const newest = { ...loaves(), newestFirst: true };
    assert.equal((await start(url, newest))[0], MigrationStatus.Skipped);
    assert.equal(await query(url, indexes), [[id], [kind], [`svc_by_${hash.slice(0, 8)}_position`]]);
  }));

test('an added column is filled from the models: rows, snapshots and cursor are copied to a table next to the old one', () =>
  withLoaves(async (url) => {
    assert.equal(await start(url, wider()), [MigrationStatus.Updated, MigrationStrategy.ColumnCopy]);
    const rows = 'SELECT id, kind, weight, tenant, position, applied FROM svc_per_loaves ORDER BY id';
    assert.equal(await query(url, rows), [
      ['a', 'rye', '750', 'north', '4', '2'],
      ['b', 'oat', null, null, '7', '1'],
    ]);
    assert.equal(await query(url, `SELECT key FROM ${perspectiveTable(wider()).snapshots}`), [['a']]);
    assert.equal(await positions(url, loaves(), wider()), ['7', '7']);
    assert.equal(await query(url, `SELECT count(*) FROM ${perspectiveTable(loaves()).table}`), [['2']]);
  }));

test('an older version that starts again keeps its own table and changes nothing of the newer one', () =>
  withLoaves(async (url) => {
    await start(url, wider());
    const before = await query(
      url,
      'SELECT * FROM svc_schema_migrations WHERE migration_key LIKE $$persp%$$',
    );
    assert.equal((await start(url, loaves()))[0], MigrationStatus.Skipped);
    assert.equal(
      await query(url, 'SELECT * FROM svc_schema_migrations WHERE migration_key LIKE $$persp%$$'),
      before,
    );
    assert.equal(await query(url, 'SELECT count(weight) FROM svc_per_loaves'), [['1']]);
  }));

test('a column that cannot be derived from a model is a DataCopyFailed, and the old table stays in force', () =>
  withLoaves(async (url) => {
    const broken = loaves({
      weight: {
        type: 'integer',
        of: () => {
          throw new RangeError('too heavy');
        },
      },
    });
    const { batch } = await migrated(url, broken);
    assert.is(batch.outcomes.at(-1)?.reason, MigrationFailureReason.DataCopyFailed);
    assert.match(
      batch.failure?.message ?? '',
      /a column of loaves cannot be derived from the model a: too heavy/,
    );
    assert.equal(await query(url, 'SELECT count(*) FROM svc_per_loaves'), [['2']]);
    assert.equal(await query(url, `SELECT to_regclass('${perspectiveTable(broken).table}')`), [[null]]);
    assert.equal((await start(url, wider()))[0], MigrationStatus.Updated);
  }));

test('another version is replayed in the background; readers see the old model until then', () =>
  withLoaves(async (url) => {
    const { batch } = await migrated(url, again());
    const [step, ...others] = replaysOf(batch.outcomes);
    assert.ok(step !== undefined && others.length === 0);
    assert.is((await ledgerRow(url, key))[0], '4');
    assert.equal(await query(url, 'SELECT count(*) FROM svc_per_loaves'), [['2']]);
    const replay = async () => {
      const { table } = perspectiveTable(again());
      await query(url, `INSERT INTO ${table} VALUES ('a', '{}', 'rye', NULL, 7, 3, now())`);
    };
    const event = await replayStep(step, ports(url, batch.id, replay));
    assert.equal(JSON.parse(JSON.stringify(event)).status, MigrationStatus.Updated);
    assert.is((await ledgerRow(url, key))[0], '2');
    assert.equal(await query(url, 'SELECT applied FROM svc_per_loaves'), [['3']]);
    assert.is(
      await replayStep(step, ports(url, batch.id, replay)).catch(() => undefined),
      undefined,
      'reported once',
    );
    assert.equal((await start(url, again()))[0], MigrationStatus.Skipped);
  }));

test('a replay that fails is recorded with the old hash and retried at the next start', () =>
  withLoaves(async (url) => {
    const [, , oldHash] = await ledgerRow(url, key);
    const { batch } = await migrated(url, again());
    const [step] = replaysOf(batch.outcomes);
    assert.ok(step);
    const event = await replayStep(
      step,
      ports(url, batch.id, () => Promise.reject(new RangeError('no flour'))),
    );
    assert.is(event?.constructor.name, 'MigrationItemFailed');
    const [status, description, hash] = await ledgerRow(url, key);
    assert.equal([status, description, hash], ['-1', 'no flour', oldHash]);
    assert.equal((await start(url, again()))[0], MigrationStatus.MigratingInBackground);
  }));

test('a host that was stopped halfway resumes at its next start', () =>
  withLoaves(async (url) => {
    const { batch } = await migrated(url, again());
    const [step] = replaysOf(batch.outcomes);
    assert.ok(step);
    const signal = AbortSignal.abort();
    const stopped = { ...ports(url, batch.id, () => Promise.reject(new RangeError('stopping'))), signal };
    assert.is(await replayStep(step, stopped), undefined);
    assert.equal(await start(url, again()), [
      MigrationStatus.MigratingInBackground,
      MigrationStrategy.EventReplay,
    ]);
  }));

test('the clean-up drops tables that were replaced, but none that a host still runs', () =>
  withLoaves(async (url) => {
    await start(url, wider());
    const { table } = perspectiveTable(loaves());
    await query(
      url,
      `INSERT INTO svc_leases(name, lease_until) VALUES ('${table}', now() + interval '1 minute')`,
    );
    assert.equal(await findReplaced(url), []);
    await query(url, `UPDATE svc_leases SET lease_until = now() WHERE name = '${table}'`);
    assert.equal(
      (await dropReplaced(url, by)).map(({ what }) => what),
      [`table ${table}`],
    );
    assert.equal(await query(url, `SELECT to_regclass('${table}')`), [[null]]);
    assert.equal(await query(url, 'SELECT count(*) FROM svc_per_loaves'), [['2']]);
    assert.equal(await dropReplaced(url, by), []);
  }));

const key = 'perspective/loaves';
const by = { operator: { host: 'desk', changedBy: 'ann' } };

class Baked extends Event {}

interface Loaf {
  readonly kind?: string;
  readonly weight?: number;
}

function loaves(more: Perspective<Loaf>['columns'] = {}, version = 1): AnyPerspective {
  return {
    name: 'loaves',
    events: [Baked],
    initial: () => ({}),
    apply: (model) => model,
    columns: { kind: { type: 'text', of: (loaf: Loaf) => loaf.kind }, ...more },
    version,
  };
}

const wider = () => loaves({ weight: { type: 'integer', of: (loaf: Loaf) => loaf.weight } });
const again = () => loaves({}, 2);

const migrated = (url: string, perspective: AnyPerspective) =>
  tryToMigrate({
    ownerUrl: url,
    application: { ...noApplicationItems, items: perspectiveItems([perspective]) },
  });

async function start(url: string, perspective: AnyPerspective) {
  const { batch } = await migrated(url, perspective);
  if (batch.failure !== undefined) throw batch.failure;
  const outcome = batch.outcomes.at(-1);
  return [outcome?.status, outcome?.step.strategy];
}

const ports = (url: string, batch: string, replay: () => Promise<void>) => ({
  batch,
  replay,
  ...ownerAt(url),
  signal: new AbortController().signal,
});

const positions = async (url: string, ...perspectives: AnyPerspective[]) => {
  const names = perspectives.map((perspective) => `'${perspectiveTable(perspective).table}'`).join(', ');
  return (await query(url, `SELECT position FROM svc_progress WHERE name IN (${names})`)).map(([at]) => at);
};

/** Two folded loaves, and a snapshot. */
function withLoaves(body: (url: string) => Promise<void>): Promise<void> {
  return withDatabase(async (url) => {
    await start(url, loaves());
    const { table, snapshots } = perspectiveTable(loaves());
    await query(
      url,
      `INSERT INTO ${table} (id, model, kind, tenant, position, applied, updated_at) VALUES
        ('a', '{"kind":"rye","weight":750}', 'rye', 'north', 4, 2, now()), ('b', '{"kind":"oat"}', 'oat', NULL, 7, 1, now());
      INSERT INTO ${snapshots} VALUES ('a', 1, gen_random_uuid(), 1, 1, gen_random_uuid(), '{}', NULL, 1);
      UPDATE svc_progress SET position = 7 WHERE name = '${table}'`,
    );
    await body(url);
  });
}
