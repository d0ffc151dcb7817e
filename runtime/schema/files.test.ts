import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { describeFiles } from './described-files.js';
import { files } from './generated/files.js';

const test = suite('files of the schema');

test('the parser of PostgreSQL reads every file', async () => {
  const described = await describeFiles(files);
  assert.equal(
    described.map(({ name, faults }) => [name, faults]),
    files.map(({ name }) => [name, []]),
  );
});

test('each file says what it is for, and each routine what it promises and which lock it takes', async () => {
  for (const { name, opening, routines } of await describeFiles(files)) {
    assert.match(opening.join(' '), /^[A-Z].+\.$/, name);
    for (const { name: routine, promise, lock } of routines) {
      assert.match(promise.join(' '), /^\S.+\.$/, `${name}: ${routine}`);
      assert.match(lock ?? '', /^\S.+\.$/, `${name}: ${routine}`);
    }
  }
});

test('each routine and each table is made in one place', async () => {
  const made = (await describeFiles(files)).flatMap(({ relations, routines }) =>
    [...relations, ...routines].map(({ name }) => name),
  );
  assert.ok(made.length > 150, String(made.length));
  assert.equal(
    made.filter((name, at) => made.indexOf(name) !== at),
    [],
  );
});

test('nothing is altered behind what it was made as, and only the commit has a version', () => {
  for (const { name, sql } of files) {
    assert.not.match(sql, /^ALTER TABLE/m, name);
    assert.not.match(sql, /(?<!svc_commit|svc_commit_one)_v\d/, name);
  }
});

const notifies = /\b(?:NOTIFY|pg_notify)\b/;

test('nothing notifies in a transaction that writes, only the commit once it has committed: the server has one lock for it', () => {
  for (const { name, sql } of files) {
    for (const body of sql.replaceAll(/--.*/g, '').split(/^CREATE /m)) {
      if (!notifies.test(body)) continue;
      assert.match(body, /^PROCEDURE svc_commit(_one)?_v1\(/, name);
      const once = /NOTIFY svc, 'events';|IF [^;]+ THEN NOTIFY svc, 'events'; ELSE NOTIFY svc; END IF;/
        .source;
      const last = `^ {2}COMMIT;\\s+IF [^;]+ THEN\\s+(?:${once})\\s+END IF;\\s+END \\$\\$;\\s*$`;
      assert.match(body, new RegExp(last, 'm'), name);
      assert.not.match(body.slice(0, body.indexOf('COMMIT;')), notifies, name);
    }
  }
});
