import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { StoreWitness } from '../../runtime/store/store-witness.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { storeKey } from '../../runtime/trust/store-key.js';
import { currentOperator } from '../cli/operator.js';
import { recordedIn, whileRecordsAreCut } from '../testing/cut-records.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('svc store');

interface Scene {
  readonly svc: (...args: string[]) => ReturnType<typeof svc>;
  readonly database: Database;
  readonly owner: Database;
  readonly env: Readonly<Record<string, string>>;
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(({ connect, url }) => {
    const env = { DATABASE_URL: url, SVC_DURABILITY: 'sync' };
    return body({
      svc: (...args) => svcInProcess(['store', ...args], env),
      database: connect(),
      owner: connect({ owner: true }),
      env,
    });
  });

/** As a host would that promised two copies. */
async function loseOneEvent(database: Database): Promise<StoreWitness> {
  const witness = new StoreWitness({ host: 'north', acceptsLoss: false });
  await witness.start(database);
  witness.observe(7, newUuid());
  await witness.connected(database);
  return witness;
}

test('status shows id, epoch, timeline, head, durability and standbys', () =>
  withScene(async ({ svc: run, database }) => {
    const [[id] = []] = await database.rows({ text: 'SELECT id FROM svc_store' });
    const { code, stdout } = await run('status', '--json');
    const { timeline, boundTo, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
    assert.is(code, 0);
    assert.is((boundTo as { readonly isHere: boolean }).isHere, true);
    assert.match(String(timeline), /^[0-9A-F]{8}$/);
    const replication = { hasSynchronousStandby: false, standbys: 0 };
    assert.equal(rest, {
      durability: 'sync',
      id,
      epoch: 1,
      head: 0,
      replication,
      losses: [],
      heldOrigins: [],
    });
    const text = (await run('status')).stdout;
    assert.match(text, /^store {7}[0-9a-f-]{36}\nepoch {7}1, timeline .*\n/);
    assert.match(text, /^durability {2}sync, as set for this command$/m);
  }));

test('a loss is shown, accepted once with a reason, and recorded with the operator', () =>
  withScene(async ({ svc: run, database }) => {
    const witness = await loseOneEvent(database);
    assert.match((await run('status')).stdout, /lost +1-7 \(epoch 2, seen by north, not accepted/);
    const { code, stdout } = await run('accept-loss', '--reason', 'the disk burned', '--json');
    assert.equal([code, JSON.parse(stdout)], [0, [{ epoch: 2, fork: 0, lostTo: 7 }]]);
    const text = `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason'
      FROM svc_system_stream WHERE event_type = 'OperatorActed'`;
    const acted = ['store accept-loss', 'epoch 2: 1-7', currentOperator(), 'the disk burned'];
    assert.equal(await database.rows({ text }), [acted]);
    await witness.check(database);
    assert.not(witness.isRefused);
    assert.match((await run('status')).stdout, /lost +1-7 \(epoch 2, seen by north\)/);
  }));

test('without a loss there is nothing to accept, and nothing is recorded', () =>
  withScene(async ({ svc: run, database }) => {
    const { code, stdout, stderr } = await run('accept-loss', '--reason', 'why not');
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: [^\n]*No loss waits to be accepted[^\n]*\n$/);
    assert.equal(await database.rows({ text: 'SELECT 1 FROM svc_system_events' }), []);
  }));

for (const args of [
  [],
  ['open'],
  ['accept-loss'],
  ['accept-loss', '--reason', ' '],
  ['status', '--reason', 'x'],
  ['status', 'now'],
  ['adopt'],
  ['status', '--moved'],
  ['release', 'north', '--reason', 'x'],
  ['move'],
  ['move', '--to', 'db-b'],
  ['move', '--to', 'postgres://ann@db-a,db-b/orders'],
  ['move', 'resume', '--to', 'postgres://ann@db-b/orders'],
  ['move', 'back'],
  ['release', '0190b5d4-0000-7000-8000-000000000001'],
]) {
  test(`\`svc store ${args.join(' ')}\` is refused on one line, before it connects`, async () => {
    const { code, stdout, stderr } = await svcInProcess(['store', ...args]);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: [^\n]*; see svc store --help\.\n$/);
  });
}

test('of two operators who accept a loss at once, one does, and one record says who', () =>
  withScene(async ({ env, database }) => {
    await loseOneEvent(database);
    const accept = (name: string) => svc(['store', 'accept-loss', '--reason', name], env);
    const outcomes = await Promise.all(['ann', 'bob'].map(accept));
    assert.is(outcomes.filter(({ code }) => code === 0).length, 1);
    assert.match(outcomes.map(({ stderr }) => stderr).join(''), /No loss waits/);
    const acted = await database.rows({
      text: `SELECT data->>'reason' FROM svc_system_stream WHERE event_type = 'OperatorActed'`,
    });
    assert.equal(acted, [[outcomes[0]?.code === 0 ? 'ann' : 'bob']]);
  }));

/** Everything that these actions change. */
const storeOf = async (owner: Database) => [
  ...(await owner.rows({ text: 'SELECT to_json(v)::text FROM svc_store v' })),
  ...(await owner.rows({ text: 'SELECT to_json(v)::text FROM svc_epochs v ORDER BY epoch' })),
  ...(await owner.rows({ text: 'SELECT to_json(v)::text FROM svc_broker v' })),
  ...(await owner.rows({ text: 'SELECT to_json(v)::text FROM svc_store_private_key v' })),
];

for (const [action, ...options] of [['accept-loss'], ['adopt', '--force'], ['broadcast', 'on']] as const)
  test(`\`svc store ${action}\` that dies in the middle has changed nothing, and can be repeated`, () =>
    withScene(async ({ svc: run, database, owner, env: { DATABASE_URL: url = '' } }) => {
      await loseOneEvent(database);
      const before = await storeOf(owner);
      const act = () => run(action, ...options, '--reason', 'the disk burned');
      assert.is((await whileRecordsAreCut(url, act)).code, 1);
      assert.equal([await storeOf(owner), await recordedIn(url)], [before, []]);
      const { code, stderr } = await act();
      assert.is(code, 0, stderr);
      assert.not.equal(await storeOf(owner), before);
      assert.is((await recordedIn(url)).length, 1);
    }));

test('broadcast and rotate-key need no reason, and record none', () =>
  withScene(async ({ svc: run, database }) => {
    await storeKey(database, {});
    for (const args of [['broadcast', 'on'], ['rotate-key']]) {
      const { code, stderr } = await run(...args);
      assert.is(code, 0, stderr);
    }
    const text = `SELECT event_type, data->>'actor', data->>'reason' FROM svc_system_stream
      WHERE event_type IN ('OperatorActed', 'StoreKeyRotated') ORDER BY stream_position`;
    const by = [currentOperator(), null];
    assert.equal(await database.rows({ text }), [
      ['OperatorActed', ...by],
      ['StoreKeyRotated', ...by],
    ]);
  }));

test('a loss is not accepted if that cannot be recorded', () =>
  withScene(async ({ svc: run, database, owner }) => {
    const witness = await loseOneEvent(database);
    await owner.rows({ text: 'REVOKE EXECUTE ON FUNCTION svc_append FROM svc_runtime' });
    assert.is((await run('accept-loss', '--reason', 'the disk burned')).code, 1);
    await witness.check(database);
    assert.ok(witness.isRefused);
  }));
