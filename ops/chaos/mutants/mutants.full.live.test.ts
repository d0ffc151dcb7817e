import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withStore } from '../../../runtime/testing/migrated-database.js';
import { startLoad } from '../../testing/order-load.js';
import { withSupervisor } from '../../testing/spawned-supervisor.js';
import { type CrashablePostgres, startCrashablePostgres } from '../harness/crashable-postgres.js';
import { runHistory } from '../history/run-history.js';
import { runLedgers } from '../ledgers/run-ledgers.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { connect } from '../../../runtime/database/connect.js';

const test = suite('planted mistakes');

/** A mistake that is planted in a store. A run with faults finds it, unless something else keeps the promise, too. */
interface Mutant {
  readonly mistake: string;
  readonly routine: string;
  /** Text of the routine, and what replaces it. */
  readonly changes: readonly (readonly [text: string, replacement: string])[];
}

const lockOfTheLog = `pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int) IS NULL`;

const mutants = {
  answerBeforeCommit: {
    mistake: 'answers before the commit is on disk',
    routine: 'svc_append',
    changes: [[lockOfTheLog, `set_config('synchronous_commit', 'off', true) IS NULL OR ${lockOfTheLog}`]],
  },
  lockDropped: {
    mistake: 'takes no lock of the log',
    routine: 'svc_append',
    changes: [[lockOfTheLog, 'true']],
  },
  conflictIgnored: {
    mistake: 'stores what was decided on a version of a stream that is not its last',
    routine: 'svc_append',
    changes: [
      ['IF pair_positions[k] IS DISTINCT FROM stream_heads[pair_streams[k]] THEN status := 2; END IF;', ''],
    ],
  },
  chainSkipped: {
    mistake: 'leaves a record out of the chain',
    routine: 'svc_append',
    changes: [['chain_hash := svc_chain_hash(', 'PERFORM svc_chain_hash(']],
  },
  answerNotKept: {
    mistake: 'does not keep the answer of an idempotency key',
    routine: 'svc_append',
    changes: [[`WHERE r.unit_status = 1 AND r.key IS NOT NULL`, `WHERE false`]],
  },
  fenceIgnored: {
    mistake: 'accepts what a host handled after another had taken over, and has no leases either',
    routine: 'svc_check_lists',
    changes: [
      [
        'v.epoch <> lists.cursor_epochs[h.cursor] OR h.position <= v.position OR h.position = ANY(v.done)',
        'false',
      ],
    ],
  },
} as const satisfies Readonly<Record<string, Mutant>>;

/** Plants the mistake in a store, before its hosts start. */
async function plant(url: string, { routine, changes }: Mutant): Promise<void> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ text: string }>('SELECT pg_get_functiondef($1::regproc) AS text', [
      routine,
    ]);
    let text = rows[0]?.text ?? '';
    for (const [before, after] of changes) {
      if (text.split(before).length !== 2) throw new TypeError(`${routine} does not contain once: ${before}`);
      text = text.replace(before, () => after);
    }
    await client.query(text);
  } finally {
    await client.end();
  }
}

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
