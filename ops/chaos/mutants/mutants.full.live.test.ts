import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withStore } from '../../../runtime/testing/migrated-database.js';
import { startLoad } from '../../testing/order-load.js';
import { withSupervisor } from '../../testing/spawned-supervisor.js';
import { type CrashablePostgres, startCrashablePostgres } from '../harness/crashable-postgres.js';
import { runHistory } from '../history/run-history.js';
import { runLedgers } from '../ledgers/run-ledgers.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { type Mutant, mutants, plant } from './mutants.js';

const test = suite('planted mistakes');

async function withMutant<T>(mutant: Mutant, body: (postgres: CrashablePostgres) => Promise<T>): Promise<T> {
  const postgres = await startCrashablePostgres();
  try {
    await migrate({ ownerUrl: postgres.url });
    await plant(postgres.url, mutant);
    return await body({ ...postgres, stop: () => Promise.resolve() });
  } finally {
    await postgres.stop();
  }
}

const printProgress = () => undefined;
const cutDrain = new URL('./cut-drain.js', import.meta.url).href;
const historyOf = (mutant: Mutant, only: 'kill' | 'failpoint' | 'stop-postgres', faults: number) =>
  withMutant(mutant, (postgres) =>
    runHistory({ seed: 5, faults, transactions: 300, only, postgres, printProgress }),
  );

test('without any, the same run finds nothing', async () => {
  const none: Mutant = { mistake: 'none', routine: 'svc_append', changes: [] };
  const report = await historyOf(none, 'stop-postgres', 2);
  assert.ok(report.ok, JSON.stringify(report));
});

test(`a store that ${mutants.answerBeforeCommit.mistake} loses`, async () => {
  const report = await historyOf(mutants.answerBeforeCommit, 'stop-postgres', 4);
  assert.ok(report.lost > 0, JSON.stringify(report));
});

test(`a store that ${mutants.lockDropped.mistake} refuses what conflicts with nothing; unique positions keep the rest`, async () => {
  const report = await historyOf(mutants.lockDropped, 'kill', 1);
  assert.ok(report.refusedBlind > 0, JSON.stringify(report));
  assert.equal([report.lost, report.doubled, report.anomalies], [0, 0, {}]);
});

test(`a store that ${mutants.conflictIgnored.mistake} is not serializable`, async () => {
  const { anomalies } = await historyOf(mutants.conflictIgnored, 'kill', 1);
  assert.ok((anomalies['lost-update'] ?? 0) > 0, JSON.stringify(anomalies));
});

test(`a store that ${mutants.chainSkipped.mistake} does not verify`, async () => {
  const report = await historyOf(mutants.chainSkipped, 'kill', 1);
  assert.is(report.chainHolds, false, JSON.stringify(report));
});

test(`a store that ${mutants.answerNotKept.mistake} stores twice`, async () => {
  const report = await historyOf(mutants.answerNotKept, 'failpoint', 6);
  assert.ok(report.doubled > 0, JSON.stringify(report));
});

test(`a store that ${mutants.fenceIgnored.mistake} still does nothing twice: ids are named by their cause`, async () => {
  const report = await withMutant(mutants.fenceIgnored, (postgres) =>
    runLedgers({
      seed: 5,
      sizes: { events: 300, timers: 20, processes: 10, seats: 0 },
      faults: { kills: 1, failpointRounds: 0, freezes: 0, terminations: 0, crashes: 0 },
      leases: false,
      postgres,
      printProgress,
    }),
  );
  assert.ok(report.ok, JSON.stringify(report));
});

test('hosts that exit when they should drain fail requests in a rolling restart', () =>
  withStore((url) =>
    withSupervisor(
      { env: { DATABASE_URL: url, NODE_OPTIONS: `--import=${cutDrain}` } },
      async (supervisor) => {
        const load = startLoad({ url: supervisor.url, clients: 64, continues: () => true });
        await load.reached(200);
        process.kill(supervisor.pid, 'SIGHUP');
        await supervisor.untilLogged('"rolling restart done"');
        await load.stop();
        assert.ok(load.unanswered.size > 0, `${load.acknowledged.size} requests, and all were answered`);
      },
    ),
  ));
