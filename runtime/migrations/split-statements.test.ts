import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { runsAlone, statementsOf, transactionalIn } from './split-statements.js';

const test = suite('statements');

test('a file is split where the server would split it', () => {
  const sql = `CREATE TABLE a (x text DEFAULT ';');
-- a; comment
/* another; one */
CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $body$ SELECT 'a;b'; $body$;
INSERT INTO "odd;name" VALUES (E'it\\'s; fine', 'it''s; fine', $$;$$);

SELECT 1`;
  assert.equal(
    statementsOf(sql).map(({ text, line }) => [text.split('\n').at(-1)?.slice(0, 15), line]),
    [
      ['CREATE TABLE a ', 1],
      ['CREATE FUNCTION', 4],
      ['INSERT INTO "od', 5],
      ['SELECT 1', 7],
    ],
  );
});

test('an empty file, or one of comments alone, has no statement', () => {
  for (const sql of ['', ' ;; \n', '-- nothing', '/* nothing */;']) assert.equal(statementsOf(sql), []);
});

test('a normalized statement has no comments, no text literals and no lower case', () => {
  const [statement] = statementsOf(`select 'Text' /* c */ from\n  "Table" -- end`);
  assert.is(statement?.normalized, `SELECT '' FROM "Table"`);
});

test('a statement that the server refuses inside a transaction runs alone', () => {
  const alone = (sql: string) => statementsOf(sql).some(runsAlone);
  assert.ok(alone('CREATE INDEX CONCURRENTLY i ON t (x)'));
  assert.ok(alone('create unique index concurrently if not exists i on t (x)'));
  assert.ok(alone('DROP INDEX CONCURRENTLY i'));
  assert.ok(alone('REINDEX TABLE CONCURRENTLY t'));
  assert.ok(alone('VACUUM t'));
  assert.not(alone('CREATE INDEX i ON t (x)'));
  assert.not(alone("SELECT 'CREATE INDEX CONCURRENTLY'"));
});

test('statements that begin or end a transaction are found, but not in the body of a function', () => {
  const found = (sql: string) => transactionalIn(statementsOf(sql)).map(({ normalized }) => normalized);
  assert.equal(found('begin; SELECT 1; commit work; rollback'), ['BEGIN', 'COMMIT WORK', 'ROLLBACK']);
  assert.equal(found('SAVEPOINT a; ROLLBACK TO a; ROLLBACK WORK TO SAVEPOINT a'), []);
  assert.equal(found('CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END; END'), ['END']);
  assert.equal(found('DO $$ BEGIN NULL; END $$'), []);
});
