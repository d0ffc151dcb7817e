import * as assert from 'uvu/assert';
import { MigrationFailureReason, MigrationStatus } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../kit/database.js';
import { sha256 } from './migration-item.js';
import { ledgerRow, migrateFiles, migrateOwn as own, query } from './testing/migrations.js';

const test = suite('edited migrations');

const repeatable = '-- svc: repeatable\n';

test('a failed edit does not erase what was applied: the original file is skipped', () =>
  withDatabase(async (url) => {
    const prices = 'CREATE TABLE prices (cents int); INSERT INTO prices VALUES (400)';
    const raise = 'UPDATE prices SET cents = cents + 1;';
    await own(url, { '1.sql': prices, '2.sql': raise });
    const [, , applied] = await ledgerRow(url, 'migrations/2.sql');
    for (const edit of ['SELECT nope;', '']) {
      const files = { '1.sql': prices, '2.sql': `${edit === '' ? '' : repeatable}${raise}${edit}` };
      const failure = (await migrateFiles(url, files)).batch.failure;
      assert.is(failure === undefined, edit === '');
      assert.is((await ledgerRow(url, 'migrations/2.sql'))[2], applied);
    }
    assert.is((await ledgerRow(url, 'migrations/2.sql'))[0], '3');
    assert.equal(await query(url, 'SELECT cents FROM prices'), [['401']]);
  }));

test('a file that was edited after it was applied is rejected, and nothing of it is run', () =>
  withDatabase(async (url) => {
    const prices = 'CREATE TABLE prices (cents int); INSERT INTO prices VALUES (100)';
    const double = 'UPDATE prices SET cents = cents * 2;';
    await own(url, { '1.sql': prices, '2.sql': double });
    const [, , applied] = await ledgerRow(url, 'migrations/2.sql');
    const edited = { '1.sql': prices, '2.sql': `${double} -- twice as dear` };
    const { batch } = await migrateFiles(url, edited);
    assert.is(batch.outcomes.at(-1)?.reason, MigrationFailureReason.SqlError);
    assert.is(
      batch.failure?.detail,
      `Migration migrations/2.sql failed: it was applied with the hash ${applied ?? ''} and now has ${sha256(edited['2.sql'])}; undo the edit and put the change into a new file, or start the file with the line -- svc: repeatable to run all of it again whenever it changes`,
    );
    const [status, , hash, attempts] = await ledgerRow(url, 'migrations/2.sql');
    assert.equal([status, hash, attempts], ['-1', applied, '1']);
    assert.equal(await query(url, 'SELECT cents FROM prices'), [['200']]);
    assert.equal(await own(url, { '1.sql': prices, '2.sql': `${repeatable}${double}` }), [
      ['migrations/1.sql', MigrationStatus.Skipped],
      ['migrations/2.sql', MigrationStatus.Updated],
    ]);
    assert.equal(await query(url, 'SELECT cents FROM prices'), [['400']]);
  }));

test('other line endings and a byte order mark are not an edit, whichever the file was applied with', () =>
  withDatabase(async (url) => {
    const unix = 'CREATE TABLE prices (cents int);\nINSERT INTO prices VALUES (100);\n';
    const windows = unix.replaceAll('\n', '\r\n').replaceAll('prices', 'taxes');
    const applied = { '1.sql': unix, '2.sql': windows };
    await own(url, applied);
    const elsewhere = {
      '1.sql': `\ufeff${unix.replaceAll('\n', '\r\n')}`,
      '2.sql': windows.replaceAll('\r\n', '\n'),
    };
    for (const files of [elsewhere, applied]) {
      assert.equal(await own(url, files), [
        ['migrations/1.sql', MigrationStatus.Skipped],
        ['migrations/2.sql', MigrationStatus.Skipped],
      ]);
      for (const [name, text] of Object.entries(applied))
        assert.is(
          (await ledgerRow(url, `migrations/${name}`))[2],
          sha256(text),
          'the hash of what was applied',
        );
    }
    assert.equal(await query(url, 'SELECT (SELECT count(*) FROM prices), (SELECT count(*) FROM taxes)'), [
      ['1', '1'],
    ]);
  }));

test('a file that starts with a byte order mark runs', () =>
  withDatabase(async (url) => {
    await own(url, { '1.sql': '\ufeffCREATE TABLE prices (cents int);' });
    assert.equal(await query(url, 'SELECT count(*) FROM prices'), [['0']]);
  }));

test('an edited column copy is rejected too: its expression would run over its own results', () =>
  withDatabase(async (url) => {
    await query(url, 'CREATE TABLE loaves (weight int); INSERT INTO loaves VALUES (1500)');
    const copy = '-- svc: column-copy table=loaves column=weight type=numeric using=weight / 1000.0';
    await own(url, { 'a.sql': copy });
    assert.match((await migrateFiles(url, { 'a.sql': `${copy}\n` })).batch.failure?.detail ?? '', 'new file');
    assert.equal(await query(url, 'SELECT weight FROM loaves'), [['1.5000000000000000']]);
  }));
