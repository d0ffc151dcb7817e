import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import { parkKeys, type StuckScene, withEmptyStore } from '../testing/stuck-scene.js';
import { until } from '../kit/until.js';
import { planRelease, releaseAll } from './release-all.js';

const test = suite('release of all keys of a reaction');

const other = `INSERT INTO svc_stuck_work(follower, key, position, state, attempts) VALUES ('reaction/reserve-stock-2/0', 'o', 1, 'parked', 8);
  INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
    VALUES ('reserve-stock', 'p', 1, 1, 'paying', 'parked', '{}', '[]', now(), now())`;

const parked = async ({ all }: StuckScene): Promise<readonly string[]> =>
  all("SELECT count(*) FROM svc_stuck_work WHERE state = 'parked'");

/** How many keys each transaction has released. */
const chunks = ({ all }: StuckScene): Promise<readonly string[]> =>
  all(
    "SELECT count(*) FROM svc_stuck_work WHERE state = 'retrying' GROUP BY xmin::text::int ORDER BY 1 DESC",
  );

test('all keys are released in chunks of 50, each with its record, and nothing of another name', () =>
  withEmptyStore(async (scene) => {
    await parkKeys(scene, 120);
    await scene.owner.rows({ text: other });
    const plan = await planRelease(scene.call.database, 'reserve-stock');
    assert.is(plan.count, 120);
    assert.is(await releaseAll(scene.call, plan), 120);
    assert.equal(await chunks(scene), ['50', '50', '20']);
    const record = (count: number) => `reactions release|reserve-stock|${count}|it is mended`;
    assert.equal(await scene.acted(), [50, 50, 20].map(record));
    assert.equal(await parked(scene), ['1']);
    assert.equal(await scene.all('SELECT status FROM svc_processes'), ['parked']);
  }));

test('a release that was interrupted continues, and what was parked again meanwhile is left', () =>
  withEmptyStore(async (scene) => {
    await parkKeys(scene, 120);
    const plan = await planRelease(scene.call.database, 'reserve-stock');
    const stopped = releaseAll(scene.call, plan, () => {
      throw new RangeError('the operator is gone');
    });
    assert.match(await stopped.then(String, String), 'the operator is gone');
    await scene.owner.rows({ text: "UPDATE svc_stuck_work SET state = 'parked'" });
    assert.is(await releaseAll(scene.call, plan), 70);
    assert.equal(await parked(scene), ['50']);
  }));

const cursor = 'reaction/reserve-stock/3';

const parkedByOlder = async ({ owner }: StuckScene, count = 120): Promise<void> => {
  await owner.rows({
    text: `INSERT INTO svc_progress(name, version) VALUES ('${cursor}', '1.0.0');
      INSERT INTO svc_stuck_work(follower, key, position, state, attempts, error)
        SELECT '${cursor}', 'k-' || n, n, 'parked', 8, 'no-stock' FROM generate_series(1, ${count}) n`,
  });
};

const versions = ({ all }: StuckScene): Promise<readonly string[]> =>
  all(`SELECT version FROM svc_progress WHERE name = '${cursor}'`);

test('a newer version releases what an earlier one parked in chunks of 50, before it handles anything', () =>
  withEmptyStore(async (scene) => {
    await parkedByOlder(scene);
    await postgresReactionStore(scene.call.database).takeCursor(cursor, 'head', '1.1.0');
    assert.equal(await chunks(scene), ['50', '50', '20']);
    assert.equal(await versions(scene), ['1.1.0']);
  }));

test('a host that stops in the middle leaves the other keys to the next one of its version', () =>
  withEmptyStore(async (scene) => {
    await parkedByOlder(scene, 500);
    const ending = new AbortController();
    const reactions = postgresReactionStore(scene.call.database);
    const taken = reactions.takeCursor(cursor, 'head', '1.1.0', ending.signal);
    await until(async () => (await chunks(scene)).length > 0);
    ending.abort();
    await taken;
    assert.ok((await chunks(scene)).length < 10);
    assert.equal(await versions(scene), ['1.0.0']);
    await reactions.takeCursor(cursor, 'head', '1.1.0');
    assert.equal(await parked(scene), ['0']);
    assert.equal(await versions(scene), ['1.1.0']);
  }));

test('a host whose cursor was taken meanwhile releases nothing', () =>
  withEmptyStore(async (scene) => {
    await parkedByOlder(scene);
    const text = `SELECT svc_note_version('${cursor}', 0, '1.1.0', true)`;
    assert.equal((await scene.call.database.rows({ text })).flat(), ['t']);
    assert.equal(await parked(scene), ['120']);
    assert.equal(await versions(scene), ['1.0.0']);
  }));

const noting = `SELECT svc_note_version('${cursor}', (SELECT epoch FROM svc_progress WHERE name = '${cursor}'), '1.1.0', true)`;

test('a newer version is not noted while keys are left, although an operator released those it had found', () =>
  withEmptyStore(async (scene) => {
    const { owner, call, all } = scene;
    await parkedByOlder(scene, 50);
    // Whichever way the keys are looked up, this one is the last.
    await owner.rows({
      text: `INSERT INTO svc_stuck_work(follower, key, position, state, attempts) VALUES ('${cursor}', 'z', 51, 'parked', 8)`,
    });
    const session = await owner.session();
    await session.rows({ text: 'BEGIN; SELECT svc_lock_log()' });
    const noted = call.database.rows({ text: noting });
    const waiting = `SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT svc_note_version%' AND wait_event_type = 'Lock'`;
    await until(async () => (await all(waiting)).join() === '1');
    await session.rows({ text: `UPDATE svc_stuck_work SET state = 'retrying' WHERE key <> 'z'; COMMIT` });
    session.release();
    assert.equal((await noted).flat(), ['f']);
    assert.equal((await call.database.rows({ text: noting })).flat(), ['f']);
    assert.equal((await call.database.rows({ text: noting })).flat(), ['t']);
    assert.equal(await all("SELECT key FROM svc_stuck_work WHERE state = 'parked'"), []);
  }));

test('a cursor without parked keys does not wait until all keys of another are released', () =>
  withEmptyStore(async (scene) => {
    await parkedByOlder(scene, 500);
    const reactions = postgresReactionStore(scene.call.database);
    const ending = new AbortController();
    const taken = reactions.takeCursor(cursor, 'head', '1.1.0', ending.signal);
    await until(async () => (await chunks(scene)).length > 0);
    await reactions.takeCursor('reaction/reserve-stock/4', 'head', '1.1.0');
    assert.equal(await versions(scene), ['1.0.0']);
    ending.abort();
    await taken;
  }));
