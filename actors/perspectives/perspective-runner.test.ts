import * as assert from 'uvu/assert';
import type { Long } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { type WriteBatch, emptyBatch } from '../../runtime/perspectives/fold/write-batch.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { InMemoryLog, InMemoryPerspectiveStore } from '../../runtime/testing/in-memory-perspective-store.js';
import { restartDefaults } from '../supervisor/restart-policy.js';
import { Supervisor } from '../supervisor/supervisor.js';
import { accounts } from '../testing/accounts-perspective.js';
import { Followers } from '../follow/followers.js';
import { PerspectiveRunner, runnerDefaults } from './perspective-runner.js';
import type { PerspectiveWork } from './perspective-work.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('perspective runner');

const host = '10000000-0000-4000-8000-000000000000';
const stream = '00000000-0000-4000-8000-000000000001';

class Leases {
  readonly notifications = { subscribe: () => () => undefined };
  requests = 0;
  /** The error of every request for a lease. */
  trouble: Error | undefined;

  join = () => () => Promise.resolve();
  giveBack = () => Promise.resolve();

  ask = (): void => {
    this.requests++;
    const { trouble } = this;
    this.trouble = undefined;
    if (trouble !== undefined) throw trouble;
  };
}

/** A runner that holds the lease, over a log in memory. */
function running(name: string, log: InMemoryLog, store = new InMemoryPerspectiveStore(log)) {
  const perspective = accounts({ name });
  const leases = new Leases();
  const followers = new Followers<PerspectiveWork>(leases);
  followers.join();
  const runner = new PerspectiveRunner({
    ports: {
      perspective,
      table: perspectiveTable(perspective),
      store,
      report: () => undefined,
      emit: () => Promise.resolve(),
    },
    settings: { ...runnerDefaults, restMs: 1, attempts: 1 },
    followers,
    moved: () => undefined,
  });
  const lease = () => {
    const { length: head } = log.entries;
    const { table } = runner;
    const idle = {
      released: false,
      hasUnreportedRewinds: false,
      rebuilding: false,
      parked: 0,
    };
    runner.noteStanding({ ...idle, table, position: 0, head }, true);
    for (const follower of followers.all) follower.renewed({ held: new Set([table]), hasGrown: false });
  };
  const wake = () => followers.all.forEach((follower) => follower.wake());
  return { runner, store, leases, lease, wake };
}

test('a runner that crashes is restarted and counted, continues from its cursor, and the others never stop', async () => {
  const log = new InMemoryLog();
  const book = (amount: number) => log.append(stream, 'Booked', { amount }, log.entries.length + 1, host);
  const tree = new Supervisor({ policy: { ...restartDefaults, firstDelayMs: 0 } });
  const [ours, other] = [running('accounts', log), running('ledger', log)];
  for (const { runner, lease } of [ours, other]) {
    await tree.start(runner);
    lease();
  }
  book(1);
  for (const { wake } of [ours, other]) wake();
  await until(() => ours.store.rows.size === 1 && ours.runner.state.state === 'live');
  ours.leases.trouble = new RangeError('the lease is torn');
  // Another host moves the cursor: the runner notices at its next write and asks for the lease.
  await ours.store.write(1, 2, emptyBatch);
  book(2);
  book(3);
  for (const { wake } of [ours, other]) wake();
  await until(() => tree.tree[0]?.restarts === 1 && tree.tree[0].state === 'running');
  assert.is(tree.tree[0]?.lastError, 'the lease is torn');
  assert.is(ours.leases.requests, 3, 'once per start, and once more in between');
  ours.lease();
  await until(() => ours.runner.state.position === 3 && other.runner.state.position === 3);
  assert.equal(
    tree.tree.map(({ name, restarts }) => [name, restarts]),
    [
      ['accounts perspective', 1],
      ['ledger perspective', 0],
    ],
  );
  await tree.stop();
});

test('events between two starts do no harm, and the state is reported as crashed', async () => {
  const log = new InMemoryLog();
  const tree = new Supervisor({ random: () => 1, policy: { ...restartDefaults, firstDelayMs: 30_000 } });
  const { runner, store, leases, lease, wake } = running('accounts', log);
  await tree.start(runner);
  lease();
  await until(() => runner.state.state === 'live');
  leases.trouble = new RangeError('the lease is torn');
  await store.write(0, 1, emptyBatch);
  log.append(stream, 'Booked', { amount: 1 }, 1, host);
  log.append(stream, 'Booked', { amount: 2 }, 2, host);
  wake();
  await until(() => tree.tree[0]?.state === 'crashed');
  wake();
  lease();
  assert.equal([runner.state.state, runner.state.lag], ['crashed', 2]);
  await tree.stop();
});

/** A store in which every reader sees a write at once; its writer returns later. */
class SlowStore extends InMemoryPerspectiveStore {
  isWritten = false;
  answer = (): void => undefined;
  readonly #answered = new Promise<void>((resolve) => (this.answer = resolve));

  override async write(from: Long, to: Long, batch: WriteBatch): Promise<boolean> {
    this.isWritten = await super.write(from, to, batch);
    await this.#answered;
    return this.isWritten;
  }
}

test('a position that the store shows is reported only when the state is complete', async () => {
  const log = new InMemoryLog();
  log.append(stream, 'Booked', { text: 'poison' }, 1, host);
  const store = new SlowStore(log);
  const { runner, lease } = running('accounts', log, store);
  const tree = new Supervisor();
  await tree.start(runner);
  lease();
  await until(() => store.isWritten);
  assert.is(runner.state.parked, 0);
  const reported = runner.roundEnded(1);
  store.answer();
  await reported;
  assert.is(runner.state.parked, 1);
  await tree.stop();
});
