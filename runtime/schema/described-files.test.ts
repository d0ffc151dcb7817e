import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { describeFiles } from './described-files.js';

const test = suite('what a file of SQL says about itself');

const sql = `-- Keys – who has them.
--
--   a  first
--   b  second

-- Those that are borrowed.
CREATE TABLE svc_keys (
  id uuid PRIMARY KEY,
  -- Null: it hangs on its hook,
  -- or it is lost.
  borrower text, since timestamptz,
  CHECK (since IS NULL OR borrower IS NOT NULL)
);

CREATE FUNCTION svc_bare() RETURNS text LANGUAGE sql AS $$
  SELECT '
-- Not a comment.
CREATE FUNCTION svc_text() RETURNS int' $$;

-- Gives a key back.
--
-- Twice is once.
-- Lock: the row of the key.
CREATE PROCEDURE svc_return(p_id uuid) LANGUAGE plpgsql AS $$ BEGIN COMMIT; END $$;
`;

test('tables, columns and routines have the comments directly above them', async () => {
  const [file] = await describeFiles([{ name: '010-keys', sql }]);
  assert.equal(file, {
    name: '010-keys',
    faults: [],
    opening: ['Keys – who has them.', '', '  a  first', '  b  second'],
    relations: [
      {
        name: 'svc_keys',
        comment: ['Those that are borrowed.'],
        columns: { borrower: 'Null: it hangs on its hook, or it is lost.' },
      },
    ],
    routines: [
      { name: 'svc_bare', promise: [] },
      {
        name: 'svc_return',
        promise: ['Gives a key back.', '', 'Twice is once.'],
        lock: 'the row of the key.',
      },
    ],
  });
});

test('a file that is not SQL has a fault', async () => {
  const [file] = await describeFiles([{ name: '010-keys', sql: '-- Keys.\n\nCREATE TABEL svc_keys ();' }]);
  assert.equal(file?.faults, [{ line: 3, kind: 'syntax', message: 'syntax error at or near "TABEL"' }]);
});
