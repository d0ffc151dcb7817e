import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { lintMigrations } from './lint.js';

const test = suite('order of migrations');

/** The files by number, and the findings as `number rule`. */
const found = async (...texts: readonly string[]): Promise<readonly string[]> => {
  const files = texts.map((sql, index) => ({ name: `${index + 1}.sql`, sql }));
  return (await lintMigrations(files)).map(({ file, rule }) => `${file.slice(0, -4)} ${rule}`);
};

const table = 'CREATE TABLE loaves (id int, weight int)';
const add = '-- svc: level=2\nALTER TABLE loaves ADD COLUMN flour text';
const backfill = "UPDATE loaves SET flour = 'rye' WHERE flour IS NULL";
const check = '-- svc: min-level=2\nALTER TABLE loaves ADD CONSTRAINT f CHECK (flour IS NOT NULL) NOT VALID';
const validate = 'ALTER TABLE loaves VALIDATE CONSTRAINT f';
const require = '-- svc: min-level=2\nALTER TABLE loaves ALTER COLUMN flour SET NOT NULL';
const dropOld = '-- svc: min-level=2\nALTER TABLE loaves DROP COLUMN weight';

for (const [name, files, ...findings] of [
  [
    'add, backfill, check, validate and require is the safe order',
    [table, add, backfill, check, validate, require],
  ],
  [
    'without the check the table is read under a lock',
    [table, add, backfill, require],
    '4 set-not-null-scan',
  ],
  [
    'a column must be backfilled before it is required',
    [table, add, require, backfill],
    '3 set-not-null',
    '3 required-before-backfill',
  ],
  [
    'a constraint must not be validated before the backfill',
    [table, add, check, validate],
    '4 required-before-backfill',
  ],
  [
    'a column copy is a backfill',
    [table, add, '-- svc: column-copy table=loaves column=flour type=text using=id', require],
    '4 set-not-null-scan',
  ],
  ['a default is a backfill', [table, `${add} DEFAULT 'rye'`, require], '3 set-not-null-scan'],
  [
    'a default of NULL is none',
    [table, `${add} DEFAULT NULL`, require],
    '3 set-not-null',
    '3 required-before-backfill',
  ],
  [
    'a column must not be required in the release that adds it',
    [table, add.slice(16), backfill, require.slice(20)],
    '4 set-not-null',
    '4 required-in-same-release',
  ],
  [
    'neither by a constraint for new rows',
    [table, add.slice(16), check.slice(20)],
    '3 required-in-same-release',
  ],
  [
    'also in one file',
    [table, `${add.slice(16)}; ${backfill}; ALTER TABLE loaves ALTER flour SET NOT NULL`],
    '2 set-not-null',
    '2 required-in-same-release',
  ],
  [
    'a min-level that no file before has declared is the same release',
    [table, add.slice(16), backfill, require],
    '4 set-not-null',
    '4 required-in-same-release',
  ],
  ['a column is removed after the release that stopped using it', [table, add, backfill, dropOld]],
  [
    'nothing is removed before a file declares that code has stopped using it',
    [table, dropOld],
    '2 drop-before-unused',
  ],
  ['also not a table', [table, '-- svc: min-level=2\nDROP TABLE public.loaves'], '2 drop-before-unused'],
  [
    'also not a function',
    [
      'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      '-- svc: min-level=3\nDROP FUNCTION f',
    ],
    '2 drop-before-unused',
  ],
  ['a file that only declares a level is enough', [table, '-- svc: level=2', dropOld]],
  [
    'code of the level that created it still uses it',
    [`-- svc: level=2\n${table}`, dropOld],
    '2 drop-before-unused',
  ],
  ['contract comes after expand', [table, dropOld, add], '2 contract-before-expand'],
  ['also for what no file has created', [dropOld, add], '1 contract-before-expand'],
  ['what is dropped without a min-level is found as ever', [table, 'DROP TABLE loaves'], '2 drop'],
  ['a backfill comes after the column', [table, backfill, add], '2 before-added'],
  [
    'a dropped table is not altered',
    [table, '-- svc: level=2', '-- svc: min-level=2\nDROP TABLE loaves', add],
    '4 after-dropped',
  ],
  [
    'a table that is created again is',
    [table, '-- svc: level=2', '-- svc: min-level=2\nDROP TABLE loaves', table, add],
  ],
  [
    'a renamed column is the same column',
    [table, add, backfill, 'ALTER TABLE loaves RENAME flour TO grain', require.replace('flour', 'grain')],
    '4 rename',
    '5 set-not-null-scan',
  ],
  [
    'a block counts',
    [table, add, `DO $$ BEGIN ${backfill}; EXECUTE 'ALTER TABLE loaves DROP COLUMN weight'; END $$`, require],
    '3 drop',
    '4 set-not-null-scan',
  ],
  [
    "a table of the same file is nobody's yet",
    [`${table}; ALTER TABLE loaves ALTER weight SET NOT NULL; DROP TABLE loaves`],
  ],
] as const) {
  test(`${name}: ${findings.join(', ') || 'no findings'}`, async () => {
    assert.equal(await found(...files), [...findings]);
  });
}

test('a finding names the step that is out of order and the file it depends on', async () => {
  const files = [table, dropOld, add].map((sql, index) => ({ name: `${index + 1}.sql`, sql }));
  const [finding] = await lintMigrations(files);
  assert.equal(
    [finding?.file, finding?.line, finding?.effect, finding?.message, finding?.instead],
    [
      '2.sql',
      2,
      'breaks',
      'loaves.weight is removed for code of level 2, which only 3.sql brings',
      'move it behind 3.sql, into a later release',
    ],
  );
});

test('expand and contract cannot be deployed at once: a pending file may need no more than the level that runs', async () => {
  const files = [table, add, backfill, dropOld].map((sql, index) => ({ name: `${index + 1}.sql`, sql }));
  const pending = new Set(['2.sql', '3.sql', '4.sql']);
  const rulesAt = async (runningLevel: number) =>
    (await lintMigrations(files, { runningLevel, pending })).map(({ file, rule }) => [file, rule]);
  assert.equal(await rulesAt(1), [['4.sql', 'contract-too-early']]);
  assert.equal(await rulesAt(2), []);
});
