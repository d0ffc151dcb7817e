import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { cliEditor } from '../cli/access-editor.js';
import { DeploymentStore } from './deployment-store.js';
import { defaultOptions } from './default-options.js';
import { runDeployment } from './engine.js';
import { postgresJournal } from './postgres-journal.js';
import { type Strategy, strategies } from './steps.js';
import { deploymentOf } from './testing/in-memory-journal.js';
import { healthy, simulatedState, type Simulation } from './testing/simulated-front.js';
import { inMemory, simulatedTarget } from './testing/simulated-target.js';
import { VirtualClock } from './testing/virtual-clock.js';

const test = suite('deployments in PostgreSQL');

const withDeployments = (body: (store: DeploymentStore, owner: Database) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await body(new DeploymentStore(owner, cliEditor({ name: 'test', broadcast: false })), owner);
  });

const newDeployment = (strategy: Strategy) => ({
  ...deploymentOf(strategy, { ...defaultOptions(strategy), replicas: 3, oldReplicas: 3 }),
  id: newUuid(),
});

const refusalOf = async (run: Promise<unknown>): Promise<string> => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Problem && error.code === 'deployment-conflict', String(error));
  return error.message;
};

test('only one deployment is unfinished, also when two start at once', () =>
  withDeployments(async (store) => {
    const starts = [newDeployment('canary'), newDeployment('rolling')].map((one) =>
      store.start(one, newUuid()),
    );
    const outcomes = await Promise.allSettled(starts);
    assert.equal(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.match(
      await refusalOf(store.start(newDeployment('recreate'), newUuid())),
      /^The (?:canary|rolling) deployment of 1\.5\.0 by ann is running at 0 %; wait for it, or run svc deploy abort\.$/,
    );
  }));

test('a process that lost its lease can write nothing anymore', () =>
  withDeployments(async (store, owner) => {
    const [first, second] = [newUuid(), newUuid()];
    const { id } = await store.start(newDeployment('canary'), first);
    const journal = postgresJournal(store, id, first);
    await journal.beginStep(3);
    assert.is(await store.acquire(id, second), undefined, 'the lease is held');
    await owner.rows({ text: 'UPDATE svc_deployments SET lease_expires_at = clock_timestamp()' });
    assert.is((await store.acquire(id, second))?.step, 3);
    for (const write of [
      () => journal.beginStep(4),
      () => journal.reach(0, 10),
      () => journal.renew(),
      () => journal.finish('completed'),
    ])
      assert.is(await refusalOf(write()), 'Another process has taken over this deployment.');
    await postgresJournal(store, id, second).finish('reverted');
    assert.is(await store.unfinished(), undefined);
    const events = await owner.rows({
      text: 'SELECT event_type FROM svc_system_stream ORDER BY stream_position',
    });
    assert.equal(events, [['DeploymentStarted'], ['DeploymentReverted']]);
  }));

test('a request is taken once, and an abort is not replaced', () =>
  withDeployments(async (store) => {
    const holder = newUuid();
    const { id } = await store.start(newDeployment('canary'), holder);
    const journal = postgresJournal(store, id, holder);
    assert.ok(await store.request(id, 'pause', undefined));
    assert.not(await store.isAnswered(id));
    assert.equal(
      [await journal.renew(), await journal.renew()],
      [{ request: 'pause', reason: undefined }, undefined],
    );
    assert.ok(await store.isAnswered(id));
    await store.request(id, 'abort', 'too slow');
    assert.not(await store.request(id, 'promote', undefined));
    assert.equal(await journal.renew(), { request: 'abort', reason: 'too slow' });
  }));

const simulated = async (store: DeploymentStore, strategy: Strategy, world: Partial<Simulation> = {}) => {
  const holder = newUuid();
  const deployment = await store.start(newDeployment(strategy), holder);
  const clock = new VirtualClock();
  const front = simulatedState(3, 0);
  const outcome = await runDeployment({
    deployment: {
      ...deployment,
      options: { ...deployment.options, stageMs: 500, readyMs: 4_000, minSample: 1 },
    },
    target: simulatedTarget(inMemory(front), { ...healthy, ...world }, clock),
    journal: postgresJournal(store, deployment.id, holder),
    gate: async () => ({ ok: true, reason: '' }),
    clock,
    interrupted: new AbortController().signal,
  });
  return { outcome, front, stored: await store.find(deployment.id) };
};

for (const strategy of strategies)
  test(`${strategy}: the row follows the deployment, to its end and back`, () =>
    withDeployments(async (store) => {
      const done = await simulated(store, strategy);
      assert.equal([done.outcome.state, done.front.toNew], ['completed', 100]);
      assert.equal(
        [done.stored?.state, done.stored?.toNew, done.stored?.isDriven],
        ['completed', 100, false],
      );
      assert.ok(
        (done.stored?.measured ?? []).every(({ requests }) => requests > 0) || strategy === 'recreate',
      );
      const failed = await simulated(store, strategy, { neverReady: true });
      assert.equal([failed.outcome.state, failed.front.toNew], ['reverted', 0]);
      assert.match(failed.stored?.reason ?? '', /0 ready after 4 s$/);
      assert.equal(
        (await store.history(5)).map(({ state }) => state),
        ['reverted', 'completed'],
      );
    }));
