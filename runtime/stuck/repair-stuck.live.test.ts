import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { parkKeys, withEmptyStore, withStuck, type StuckScene } from '../testing/stuck-scene.js';
import { until } from '../kit/until.js';
import { mostPlanned, planOf, type Repair, refusalOf } from './repair-plan.js';
import { carryOut, findPlan, keepPlan, repairEntry } from './repair-stuck.js';
import { listStuck, listToPlan } from './stuck-entries.js';

const test = suite('repairs of stuck entries');

const idsOf = async ({ call }: StuckScene): Promise<readonly string[]> =>
  (await listStuck(call.database, { state: 'parked' }, 100)).map(({ id }) => id);

/** What each table says now. */
const states = ({ all }: StuckScene): Promise<readonly string[]> =>
  all(`SELECT * FROM (SELECT concat_ws(' ', coalesce('letter ' || id, follower), state, attempts, 'gave up ' || given_up) FROM svc_stuck_work
      WHERE id < 3 OR key IN ('o-1', 'o-2', 'p-1') AND follower <> 'svc_per_orders_1' ORDER BY 1) w
    UNION ALL SELECT 'instance ' || key || ' ' || status FROM svc_processes WHERE key <> 'p-4'
    UNION ALL SELECT 'timer ' || parked || ' ' || attempts FROM svc_timers`);

test('each kind of entry is retried in its own way, and each retry is recorded with its reason', () =>
  withStuck(async (scene) => {
    const ids = await idsOf(scene);
    for (const id of ids.slice(0, 7)) assert.ok(await repairEntry(scene.call, 'retry', id), id);
    assert.equal(await states(scene), [
      'letter 1 retrying 5',
      'letter 2 retrying 1',
      'process/payment/1 retrying 0',
      'reaction/reserve-stock/3 retrying 0',
      'reaction/reserve-stock/4 retrying 2',
      'svc_per_orders_2 retrying 3',
      'instance p-1 parked',
      'instance p-2 parked',
      'instance p-3 running',
      'timer false 0',
    ]);
    assert.equal(
      await scene.acted(),
      ids.slice(0, 7).map((id) => `stuck retry|${id}|it is mended`),
    );
  }));

test('skip gives up the event, message or timer of an entry, and nothing else', () =>
  withStuck(async (scene) => {
    const entries = await listStuck(scene.call.database, { state: 'parked' }, 100);
    const skipped = entries.filter((entry) => refusalOf('skip', entry) === undefined);
    for (const { id } of skipped.slice(0, 5)) assert.ok(await repairEntry(scene.call, 'skip', id), id);
    assert.equal(await states(scene), [
      'letter 1 discarded 5',
      'letter 2 discarded 1',
      'process/payment/1 retrying 0 gave up 2',
      'reaction/reserve-stock/3 retrying 0 gave up 1',
      'reaction/reserve-stock/4 retrying 2',
      'svc_per_orders_2 parked 3',
      'instance p-3 parked',
      'instance p-1 running',
      'instance p-2 running',
    ]);
    assert.is((await scene.acted()).length, 5);
  }));

test('what is tried again, a row of a perspective and a process that nothing stops are not skipped', () =>
  withStuck(async (scene) => {
    const entries = await listStuck(scene.call.database, {}, 100);
    const refused = (action: Repair) =>
      entries.flatMap((entry) => (refusalOf(action, entry) === undefined ? [] : [entry.id]));
    const retrying = ['reaction/reserve-stock/4@2/o-2', 'outbox@2'];
    assert.equal(refused('retry'), retrying);
    assert.equal(refused('skip'), [
      'perspective/svc_per_orders_2@1/o-1',
      'process/payment@7/p-3',
      ...retrying,
    ]);
    const before = await states(scene);
    for (const id of refused('skip')) assert.not(await repairEntry(scene.call, 'skip', id), id);
    assert.equal([await states(scene), await scene.acted()], [before, []]);
  }));

test('an entry that has moved on, was repaired, or never was, is left, and nothing is recorded', () =>
  withStuck(async (scene) => {
    const { owner, call } = scene;
    await owner.rows({
      text: `UPDATE svc_stuck_work SET position = position + 8;
        UPDATE svc_timers SET due_at = due_at + interval '1 microsecond'; UPDATE svc_processes SET revision = 8`,
    });
    const before = await states(scene);
    for (const id of [
      ...['perspective/svc_per_orders_2@1/o-1', 'reaction/reserve-stock/3@1/o-1', 'process/payment/1@2/p-1'],
      ...['process/payment@7/p-3', 'timers@1767744000000000/00000000-0000-7000-8000-000000000001'],
      ...['inbox/dead-letter@1', 'inbox/dead-letter@4', 'timers@1/none', 'reaction/x', '', '@', 'timers@1'],
    ])
      for (const action of ['retry', 'skip'] as const) assert.not(await repairEntry(call, action, id), id);
    assert.equal([await states(scene), await scene.acted()], [before, []]);
  }));

test('of a message of which only the beginning was kept, a retry changes nothing', () =>
  withStuck(async ({ call }) => {
    assert.not(await repairEntry(call, 'retry', 'inbox/dead-letter@3'));
    assert.ok(await repairEntry(call, 'skip', 'inbox/dead-letter@3'));
  }));

test('of two operators at once, one repairs an entry and is recorded', () =>
  withStuck(async (scene) => {
    for (const id of ['reaction/reserve-stock/3@1/o-1', 'inbox/dead-letter@2']) {
      const both = await Promise.all([1, 2].map(() => repairEntry(scene.call, 'retry', id)));
      assert.is(both.filter(Boolean).length, 1, id);
    }
    assert.is((await scene.acted()).length, 2);
  }));

test('keys of reactions and processes are repaired under the lock of the log alone', () =>
  withStuck(async ({ owner, call, all }) => {
    const session = await owner.session();
    try {
      await session.rows({ text: 'BEGIN; SELECT svc_lock_log()' });
      const repairing = repairEntry(call, 'retry', 'reaction/reserve-stock/3@1/o-1');
      await until(
        async () =>
          (await all("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length > 0,
      );
      // The row is not locked yet: a commit that has the lock of the log would wait for it.
      await session.rows({
        text: "SELECT 1 FROM svc_stuck_work WHERE follower LIKE 'reaction/%' FOR UPDATE NOWAIT",
      });
      await session.rows({ text: 'COMMIT' });
      assert.ok(await repairing);
    } finally {
      session.release();
    }
  }));

test('without the lock of the log, only keys of perspectives are released', () =>
  withStuck(async ({ call }) => {
    const text = 'SELECT (SELECT count(*) FROM svc_release_parked(f, NULL)) FROM unnest($1::text[]) f';
    const followers = ['svc_per_orders_2', 'reaction/reserve-stock/3', 'process/payment/1', 'inbox'];
    assert.equal((await call.database.rows({ text, values: [followers] })).flat(), ['1', '0', '0', '0']);
  }));

test('the id of a perspective reaches no row of another follower', () =>
  withStuck(async (scene) => {
    const before = await states(scene);
    for (const id of ['perspective/reaction/reserve-stock/3@1/o-1', 'perspective/process/payment/1@1/o-1'])
      assert.not(await repairEntry(scene.call, 'retry', id), id);
    assert.equal(await states(scene), before);
  }));

test('a row that a host is changing is left, and neither the operator nor a commit waits for it', () =>
  withStuck(async (scene) => {
    const session = await scene.owner.session();
    try {
      await session.rows({
        text: "BEGIN; SELECT 1 FROM svc_stuck_work WHERE follower NOT LIKE 'reaction/%' FOR UPDATE",
      });
      for (const id of ['perspective/svc_per_orders_2@1/o-1', 'inbox/dead-letter@2'])
        assert.not(await repairEntry(scene.call, 'retry', id), id);
      assert.ok(await repairEntry(scene.call, 'retry', 'reaction/reserve-stock/3@1/o-1'));
      await session.rows({ text: 'ROLLBACK' });
    } finally {
      session.release();
    }
  }));

/** Plans a retry of all parked entries. */
async function planAll({ call }: StuckScene, action: Repair = 'retry') {
  const plan = planOf(action, await listToPlan(call.database, { state: 'parked' }, mostPlanned));
  await keepPlan(call.database, plan, 'everything');
  return plan;
}

test('150 entries are retried in chunks of 50, each with a record of how many', () =>
  withEmptyStore(async (scene) => {
    await parkKeys(scene, 150);
    const plan = await planAll(scene);
    assert.equal(
      [plan.ids.length, plan.causes.length, plan.causes[0]?.count],
      [150, 1, 150],
      JSON.stringify(plan.causes),
    );
    const sums: number[] = [];
    const kept = { token: plan.token, action: plan.action, selection: 'everything', count: 150 };
    const done = await carryOut(scene.call, kept, (sum) => sums.push(sum));
    assert.equal(done, { repaired: 150, left: [] });
    assert.equal(
      sums,
      Array.from({ length: 3 }, (_, n) => (n + 1) * 50),
    );
    assert.equal(
      await scene.acted(),
      Array.from({ length: 3 }, () => 'stuck retry|everything|50|it is mended'),
    );
    const left = await scene.all(
      "SELECT count(*) FROM svc_stuck_work WHERE state <> 'retrying' OR attempts <> 0",
    );
    assert.equal(left, ['0']);
  }));

test('a plan continues after the last chunk, and what failed again meanwhile is not retried twice', () =>
  withEmptyStore(async (scene) => {
    await parkKeys(scene, 120);
    const { token, ids } = await planAll(scene);
    const plan = { token, action: 'retry', selection: 'everything', count: ids.length } as const;
    const stopped = carryOut(scene.call, plan, () => {
      throw new RangeError('the operator is gone');
    });
    assert.match(await stopped.then(String, String), 'the operator is gone');
    await scene.owner.rows({ text: "UPDATE svc_stuck_work SET state = 'parked'" });
    assert.is((await findPlan(scene.call.database, token))?.count, 70);
    assert.equal(await carryOut(scene.call, plan), { repaired: 70, left: [] });
    assert.is(await findPlan(scene.call.database, token), undefined);
    assert.equal(await carryOut(scene.call, plan), { repaired: 0, left: [] });
    assert.equal(await scene.all("SELECT count(*) FROM svc_stuck_work WHERE state = 'parked'"), ['50']);
  }));

test('a plan to retry does not skip', () =>
  withEmptyStore(async (scene) => {
    await parkKeys(scene, 3);
    const { token } = await planAll(scene);
    const skip = { token, action: 'skip', selection: 'everything', count: 3 } as const;
    assert.equal(await carryOut(scene.call, skip), { repaired: 0, left: [] });
    assert.is((await findPlan(scene.call.database, token))?.action, 'retry');
  }));

test('a plan is forgotten after a day', () =>
  withEmptyStore(async (scene) => {
    await parkKeys(scene, 1);
    const { token } = await planAll(scene);
    await scene.owner.rows({ text: "UPDATE svc_stuck_plans SET made_at = now() - interval '25 hours'" });
    await parkKeys({ owner: scene.owner }, 0);
    await planAll(scene, 'skip');
    assert.is(await findPlan(scene.call.database, token), undefined);
  }));
