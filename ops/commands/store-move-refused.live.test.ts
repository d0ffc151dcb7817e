import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { connect } from '../../runtime/database/connect.js';
import { openDatabase } from '../../runtime/database/database.js';
import { execute, withName } from '../../runtime/kit/database.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { addressOf } from '../../runtime/move/move-ends.js';
import { listOf, withLogicalServers } from '../../runtime/testing/logical-servers.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { environmentOf, leftovers, toTarget } from '../testing/moving-store.js';

const test = suite('svc store move that is refused');

test('a list never leads to an empty server beside one that has the store, or that may have it', () =>
  withLogicalServers(async ({ urls: [first, second] }) => {
    const connected = async (...urls: readonly [string, string]): Promise<unknown> => {
      const database = openDatabase({ url: listOf(urls) });
      try {
        return (await database.rows({ text: 'SELECT inet_server_port()' }))[0]?.[0];
      } catch (problem) {
        return (problem as Problem).code;
      } finally {
        await database.close();
      }
    };
    assert.is(await connected(first, second), new URL(first).port);
    assert.is(await connected(first, withPort(second, '1')), 'store-unavailable');
    await migrate({ ownerUrl: second });
    assert.is(await connected(first, second), new URL(second).port);
    assert.is(await connected(second, withPort(first, '1')), new URL(second).port);
  }));

const withPort = (text: string, port: string): string => Object.assign(new URL(text), { port }).href;

test('what cannot be moved is refused on one line, and nothing has changed', () =>
  withLogicalServers(async ({ urls: [source, target] }) => {
    await migrate({ ownerUrl: source });
    const refused = async (url: string, args: readonly string[], pattern: RegExp): Promise<void> => {
      const { code, stdout, stderr } = await svcInProcess(['store', 'move', ...args], {
        ...environmentOf(source),
        DATABASE_URL: url,
      });
      assert.equal([code, stdout], [1, '']);
      assert.match(stderr, pattern);
      assert.match(stderr, /^svc: [^\n]*\n$/);
    };
    await withStore((url) =>
      refused(url, toTarget(target), /wal_level=replica: run ALTER SYSTEM SET wal_level = 'logical'/),
    );
    await refused(source, toTarget(withName(source, 'postgres')), /is on the server of the store/);
    await refused(
      source,
      ['--to', 'postgres://svc@127.0.0.1:1/svc'],
      /127\.0\.0\.1:1\/svc does not answer: /,
    );
    await refused(
      listOf([source, withName(target, 'svc')]),
      toTarget(withName(target, 'postgres')),
      /lists several servers/,
    );
    await execute(source, 'CREATE TABLE loose (a int)');
    const unidentified =
      /Without a primary key that is not deferrable, changes of loose cannot be replicated/;
    await refused(source, toTarget(target), unidentified);
    await execute(source, 'ALTER TABLE loose ADD PRIMARY KEY (a) DEFERRABLE');
    await refused(source, toTarget(target), unidentified);
    await execute(source, 'CREATE UNIQUE INDEX named ON loose(a)');
    await execute(source, 'ALTER TABLE loose REPLICA IDENTITY USING INDEX named');
    await execute(source, 'DROP INDEX named');
    await refused(source, toTarget(target), unidentified);
    await execute(
      source,
      'ALTER TABLE loose DROP CONSTRAINT loose_pkey, ADD PRIMARY KEY (a), REPLICA IDENTITY DEFAULT',
    );
    for (const [url, change, pattern, undo] of [
      [
        source,
        "ALTER DATABASE svc SET statement_timeout = '5min'",
        /end after 5min at .* SET statement_timeout = 0 there/,
        'ALTER DATABASE svc RESET statement_timeout',
      ],
      [
        target,
        'CREATE SCHEMA elsewhere; ALTER DATABASE svc SET search_path = elsewhere',
        /in the schema public, and the default schema at .* is elsewhere/,
        'ALTER DATABASE svc RESET search_path',
      ],
      [
        source,
        'CREATE PUBLICATION svc_move',
        /has a publication svc_move: end the move of the other store/,
        'DROP PUBLICATION svc_move',
      ],
      [
        target,
        'CREATE TABLE other (a int); INSERT INTO other VALUES (1)',
        /The table other of .* has rows/,
        'DROP TABLE other',
      ],
    ] as const) {
      await execute(url, change);
      await refused(source, toTarget(target), pattern);
      await execute(url, undo);
    }
    await execute(target, 'CREATE TABLE loose (a int PRIMARY KEY); INSERT INTO loose VALUES (1)');
    await migrate({ ownerUrl: target });
    await refused(source, toTarget(target), /The table loose of .* has rows/);
    await execute(target, 'DELETE FROM loose');
    await execute(target, 'ALTER TABLE loose ADD COLUMN b text');
    await refused(source, toTarget(target), /has a table loose with other columns/);
    assert.is((await svcInProcess(['store', 'move', 'abort'], { DATABASE_URL: source })).code, 0);
    await refused(target, ['resume'], /No move has begun/);
    await execute(
      target,
      `INSERT INTO svc_move(state, other) VALUES ('joining', 'db-b:5432/svc') ON CONFLICT (single) DO UPDATE SET other = excluded.other`,
    );
    await refused(
      source,
      toTarget(target),
      /The store of db-b:5432\/svc is being moved to .*; abort that first/,
    );
    const other = await connect(target);
    await other.query(`SELECT pg_advisory_lock(hashtext('svc'), hashtext('move ' || current_schema()))`);
    await refused(source, toTarget(target), /Another svc store move runs on this database/);
    await other.end();
    // Begun, and killed before it has reached a target that another store is moved to since.
    await execute(
      source,
      `INSERT INTO svc_move(state, other, url) VALUES ('copying', '${addressOf(target)}', '${target}')`,
    );
    const aborted = await svcInProcess(['store', 'move', 'abort'], { DATABASE_URL: source });
    assert.is(aborted.code, 0);
    assert.match(aborted.stderr, /could not be emptied \(the store of db-b:5432\/svc is being moved there\)/);
    assert.equal(await rowsOf(target, 'SELECT other FROM svc_move'), [['db-b:5432/svc']]);
    assert.equal(await leftovers(source, target), ['0', '0']);
  }));
