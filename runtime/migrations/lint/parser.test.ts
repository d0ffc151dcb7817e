import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { seeds } from '../../../contracts/testing/seeds.js';
import { suite } from '../../../contracts/testing/suite.js';
import { lintMigrations } from './lint.js';
import { parseFiles } from './parser.js';

const test = suite('SQL parser');

const lint = (sql: string) => lintMigrations([{ name: 'a.sql', sql }]);
const rulesOf = async (sql: string) => (await lint(sql)).map(({ line, rule }) => `${line} ${rule}`);

test('a syntax error is found with its line, and the statements around it are still checked', async () => {
  assert.equal(await rulesOf('DROP TABLE a;\n\nALTER\n  TABL b;\nDROP TABLE c;'), [
    '4 syntax-error',
    '1 drop',
    '5 drop',
  ]);
});

test('lines are counted in characters of any size, after comments, and behind a byte order mark', async () => {
  assert.equal(await rulesOf("\ufeffSELECT 'äöü€😀';\n-- ß\n/* ü\n*/ DROP TABLE ö;"), ['4 drop']);
});

test('a NUL character, which ends the text for the parser, hides nothing', async () => {
  assert.equal(await rulesOf('SELECT 1;\0 DROP TABLE a'), ['1 syntax-error']);
});

test('a block that cannot be read is reported', async () => {
  assert.equal(await rulesOf('SELECT 1;\nDO $$ BEGIN LOOP; END $$'), ['2 not-checked']);
});

for (const [name, sql] of [
  ['parentheses', `SELECT ${'('.repeat(50_000)}`],
  ['operators', `SELECT ${'1+'.repeat(50_000)}1`],
  ['negations', `SELECT ${'NOT '.repeat(20_000)}true`],
  ['subqueries', `SELECT * FROM ${'(SELECT * FROM '.repeat(2_000)}t${') a'.repeat(2_000)}`],
  ['blocks', `DO $$ BEGIN ${'IF true THEN '.repeat(2_000)}NULL;${' END IF;'.repeat(2_000)} END $$`],
  ['a text without end', `SELECT '${'x'.repeat(200_000)}`],
  ['a statement that is too long', `INSERT INTO a VALUES ('${'x'.repeat(300_000)}')`],
] as const) {
  test(`a deep or long file ends in findings, and what comes after it is checked: ${name}`, async () => {
    const [finding] = await lint(sql);
    assert.match(finding?.rule ?? 'none', /^(?:syntax-error|not-checked|none)$/);
    assert.equal(await rulesOf('DROP TABLE a'), ['1 drop']);
  });
}

test('a file that keeps the parser busy is given up, and the next one is parsed by another thread', async () => {
  const [slow] = await parseFiles([`SELECT ${'a OR '.repeat(50_000)}b`], 1);
  assert.match(slow?.faults[0]?.message ?? '', /^the parser did not finish within/);
  const [next] = await parseFiles(['SELECT 1']);
  assert.is(next?.statements.length, 1);
});

/** Fragments of migrations in any order, and any text. */
const fragment = fc.oneof(
  fc.constantFrom(
    'ALTER TABLE ',
    'a ',
    'ADD COLUMN ',
    'NOT NULL ',
    'DROP ',
    'COLUMN ',
    'TABLE ',
    '"',
    "'",
    '$$',
    'DO ',
    'BEGIN ',
    'END',
    ';',
    '--',
    '/*',
    '*/',
    '(',
    ')',
    ',',
    'SET ',
    'UPDATE ',
    'CREATE ',
    'int ',
    'CHECK ',
    'IS NOT NULL',
    'RENAME TO ',
    'b',
    '\n',
    '-- svc: level=2\n',
    'CONSTRAINT ',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

test('no text makes the check fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fragment, { maxLength: 30 }), async (parts) => {
      const sql = parts.join('').replaceAll('svc:', 'svc');
      for (const { rule, line } of await lint(sql)) assert.ok(rule !== '' && line >= 1);
    }),
    { numRuns: seeds(60, 300) },
  );
});
