import { partitions } from '../../../contracts/reaction-store.js';
import { newUuid } from '../../../contracts/uuid.js';
import { connect } from '../../../runtime/database/connect.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { postgresReactionStore } from '../../../runtime/reactions/postgres-reaction-store.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { cpuSeconds } from '../http/cpu-time.js';
import {
  auditedUnit,
  Line,
  type ListsOf,
  withMark,
  withReservation,
  withSagaStep,
  withTimer,
} from './units.js';

interface Variant {
  readonly name: string;
  readonly listsOf?: ListsOf;
  /** How much server time a unit may take, against one without lists. */
  readonly atMost?: number;
}

const plain = 'audited command';

const variants: readonly Variant[] = [
  { name: plain },
  { name: '+ handled event', listsOf: withMark, atMost: 1.25 },
  { name: '+ timer', listsOf: withTimer, atMost: 1.35 },
  { name: '+ reservation', listsOf: withReservation, atMost: 1.5 },
  { name: '+ step of a process', listsOf: withSagaStep, atMost: 2 },
];

const callers = 64;
const filled = 100_000;
const figure = 'server CPU µs';

/** What timers, reservations and the progress of reactions and processes add to a commit, with 100,000 of each there. */
export function lists(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(variants.length, async (urls) => {
    run.printProgress('lists: filling');
    const running: Running[] = [];
    try {
      for (const [index, variant] of variants.entries())
        running.push(await open(variant, urls[index] ?? '', scaled(filled, run)));
      run.printProgress(`lists: ${run.rounds} rounds`);
      const seconds = run.seconds ?? 1;
      for (const variant of running) await variant.measure(seconds);
      const measured = running.map((variant) => ({
        name: variant.name,
        measure: () => variant.measure(seconds),
      }));
      const rounds = await interleave(measured, run.rounds, run.signal);
      const targets = variants.flatMap(({ name, atMost }) =>
        atMost === undefined ? [] : [{ figure, of: name, against: plain, atMost }],
      );
      const title = 'lists: commits with lists, 64 in flight, 100,000 timers, names and processes';
      return [{ title, figures: ['units/s', figure], baseline: plain, rounds, targets, missing: [] }];
    } finally {
      for (const variant of running) await variant.close();
    }
  });
}

interface Running {
  readonly name: string;
  measure(seconds: number): Promise<{ 'units/s': number; 'server CPU µs': number }>;
  close(): Promise<void>;
}

async function open({ name, listsOf }: Variant, url: string, rows: number): Promise<Running> {
  const { role } = await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
  await withClient(url, async (client) => void (await client.query(fillText(rows))));
  await withClient(url, async (client) => void (await client.query('VACUUM ANALYZE')));
  const database = openDatabase({ url, ...(role === undefined ? {} : { role }) });
  const store = openPostgresStore(database, { host: 'bench' });
  const reactions = postgresReactionStore(database);
  const lines: Line[] = [];
  for (let part = 0; part < partitions; part++) {
    const cursor = `reserve-stock/${part}`;
    lines.push(new Line(cursor, await reactions.takeCursor(cursor, 'head')));
  }
  const caller = async (until: number, index: number): Promise<number> => {
    let previous = newUuid();
    for (let step = 0; ; step++) {
      if (performance.now() >= until) return step;
      const line = lines[(index + step) % partitions];
      if (line === undefined) return step;
      const position = line.next();
      const given = listsOf?.(line, position, step, previous);
      previous = given?.processes?.[0]?.key ?? previous;
      await store.commit(auditedUnit(given));
      line.settle(position);
    }
  };
  return {
    name,
    measure: async (seconds) => {
      const before = await serverCpu(url);
      const until = performance.now() + seconds * 1000;
      const counts = await Promise.all(Array.from({ length: callers }, (_, index) => caller(until, index)));
      const units = counts.reduce((sum, count) => sum + count, 0);
      return {
        'units/s': units / seconds,
        'server CPU µs': (((await serverCpu(url)) - before) * 1e6) / units,
      };
    },
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}

/** Seconds that the server has used for the clients of a database. */
const serverCpu = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    let seconds = 0;
    for (const { pid } of rows) seconds += (await cpuSeconds(pid)) ?? Number.NaN;
    return seconds;
  });

async function withClient<T>(
  url: string,
  body: (client: Awaited<ReturnType<typeof connect>>) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}

const fillText = (rows: number): string => `
  WITH t AS (INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
    SELECT gen_random_uuid(), n % 8, clock_timestamp() + interval '1 day', 'command', 'reminder', gen_random_uuid()::text,
      clock_timestamp(), 0, false, '{}', '{}' FROM generate_series(1, ${rows}) n),
  r AS (INSERT INTO svc_reservations(key, name, owner, reserved_at)
    SELECT gen_random_uuid(), 'email', gen_random_uuid()::text, clock_timestamp() FROM generate_series(1, ${rows}))
  INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
    SELECT 'fulfilment', gen_random_uuid()::text, 1, 1, 'new', 'running', '{}', '[]', clock_timestamp(), clock_timestamp()
    FROM generate_series(1, ${rows})`;
