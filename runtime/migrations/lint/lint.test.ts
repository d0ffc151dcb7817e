import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { lintMigrations } from './lint.js';

const test = suite('migration linter');

const rulesOf = async (sql: string): Promise<string[]> =>
  (await lintMigrations([{ name: 'a.sql', sql }])).map(({ rule }) => rule);

for (const [sql, ...rules] of [
  ['ALTER TABLE orders ADD COLUMN note text'],
  ["ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT 'NOT NULL'"],
  ['ALTER TABLE orders ADD COLUMN note text NOT NULL', 'not-null-without-default'],
  ['alter table orders add note text not null, add other numeric(1,2) default 1', 'not-null-without-default'],
  ['ALTER TABLE orders ALTER COLUMN note SET NOT NULL', 'set-not-null'],
  ['ALTER TABLE orders RENAME COLUMN note TO remark', 'rename'],
  ['ALTER TABLE orders RENAME TO purchases', 'rename'],
  ['ALTER TABLE orders RENAME CONSTRAINT a TO b'],
  ['ALTER TABLE orders DROP COLUMN note', 'drop'],
  ['ALTER TABLE orders DROP note', 'drop'],
  ['ALTER TABLE orders ALTER note DROP DEFAULT'],
  ['ALTER TABLE orders DROP CONSTRAINT positive'],
  ['DROP TABLE orders', 'drop'],
  ['-- svc: min-level=2\nDROP TABLE orders'],
  ['DROP VIEW IF EXISTS totals', 'drop'],
  ['ALTER TABLE orders ALTER COLUMN total TYPE numeric(12,2)', 'type-change'],
  ['ALTER TABLE orders ALTER total SET DATA TYPE bigint', 'type-change'],
  ['CREATE INDEX by_note ON orders (note)', 'index-without-concurrently'],
  ['CREATE UNIQUE INDEX by_note ON orders (note)', 'index-without-concurrently'],
  ['CREATE INDEX CONCURRENTLY by_note ON orders (note)'],
  ['DROP INDEX by_note', 'drop-index-without-concurrently'],
  ['ALTER TABLE orders ADD CONSTRAINT positive CHECK (total > 0)', 'constraint-without-not-valid'],
  ['ALTER TABLE orders ADD FOREIGN KEY (c) REFERENCES customers', 'constraint-without-not-valid'],
  ['ALTER TABLE orders ADD CONSTRAINT positive CHECK (total > 0) NOT VALID'],
  ['ALTER TABLE orders VALIDATE CONSTRAINT positive'],
  ['ALTER TABLE orders ADD CONSTRAINT one UNIQUE (note)', 'unique-constraint'],
  ['ALTER TABLE orders ADD CONSTRAINT one UNIQUE USING INDEX by_note'],
  ['ALTER TABLE orders ADD COLUMN id uuid DEFAULT gen_random_uuid()', 'volatile-default'],
  ['ALTER TABLE orders ADD COLUMN at timestamptz DEFAULT now()'],
  ['UPDATE orders SET note = 1', 'whole-table-update'],
  ['UPDATE orders SET note = 1 WHERE id = 1'],
  ['TRUNCATE orders', 'table-lock'],
  ["INSERT INTO notes VALUES ('DROP TABLE orders; DROP TABLE orders')"],
  ['-- DROP TABLE orders;\n/* DROP TABLE orders; */ SELECT 1'],
  ['ALTER TABLE orders SET SCHEMA old', 'rename'],
  ["ALTER TYPE status RENAME VALUE 'new' TO 'fresh'", 'rename'],
  ['ALTER MATERIALIZED VIEW totals RENAME TO sums', 'rename'],
  ['ALTER FUNCTION total(int) RENAME TO sum', 'rename'],
  ['ALTER INDEX by_note RENAME TO by_remark'],
  ['DROP FUNCTION total(int)', 'drop'],
  ['DROP DOMAIN money', 'drop'],
  ['ALTER TABLE "my orders" ALTER COLUMN "the total" TYPE bigint', 'type-change'],
  ['CREATE TABLE "my notes" (id int); ALTER TABLE "my orders" DROP COLUMN note', 'drop'],
  ['ALTER TABLE orders ADD COLUMN no int PRIMARY KEY', 'not-null-without-default', 'unique-constraint'],
  ['ALTER TABLE orders ADD COLUMN no int UNIQUE', 'unique-constraint'],
  ['BEGIN; SELECT 1; COMMIT', 'own-transaction', 'own-transaction'],
  ['SAVEPOINT a; SELECT 1; ROLLBACK TO SAVEPOINT a'],
  ['DO $$ BEGIN ALTER TABLE orders DROP COLUMN note; END $$', 'drop'],
  ['DO $a$ BEGIN IF NOT EXISTS (SELECT 1) THEN ALTER TABLE orders RENAME TO o; END IF; END $a$', 'rename'],
  ["DO LANGUAGE plpgsql $$ BEGIN RAISE NOTICE 'DROP TABLE orders'; COMMIT; END $$"],
  ['CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE orders; $$'],
  ['CREATE TABLE orders (id int); CREATE INDEX by_id ON orders (id); ALTER TABLE orders ADD n int NOT NULL'],
  ['SELECT 1; CREATE INDEX CONCURRENTLY i ON orders (id)', 'no-transaction'],
] as const) {
  test(`${sql.replaceAll('\n', ' ')} → ${rules.join(', ') || 'no findings'}`, async () => {
    assert.equal(await rulesOf(sql), [...rules]);
  });
}

test('a finding has its location, its effect and the safe alternative', async () => {
  const sql = '-- for the new form\nSELECT 1;\n\n  -- gone\n  ALTER TABLE orders\n  DROP COLUMN note;';
  const [finding, ...others] = await lintMigrations([{ name: '004-drop.sql', sql }]);
  assert.equal(others, []);
  assert.equal([finding?.file, finding?.line, finding?.effect], ['004-drop.sql', 5, 'breaks']);
  assert.match(finding?.instead ?? '', /^first deploy code that reads the new structure only/);
});

test('a finding inside a DO block has its own line', async () => {
  const sql = 'SELECT 1;\nDO $$\nBEGIN\n  -- gone\n  DROP TABLE orders;\nEND $$;';
  assert.equal(
    (await lintMigrations([{ name: 'a.sql', sql }])).map(({ rule, line }) => [rule, line]),
    [['drop', 5]],
  );
});
