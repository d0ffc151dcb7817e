import { newUuid } from '../../../contracts/uuid.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { openPostgresStore, type PostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import type { Figures } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';

const writers = 4;
const callersPerWriter = 16;

interface Opened {
  readonly store: PostgresStore;
  readonly close: () => Promise<void>;
}

/** Four pools write at once while one reader follows: counts skipped and out-of-order events. */
export function tail(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(1, async ([url = '']) => {
    const seconds = run.seconds ?? 20;
    run.printProgress(`tail: ${writers} writers and a reader for ${seconds} s`);
    const { role } = await migrate({ ownerUrl: url });
    const opened = Array.from({ length: writers + 1 }, (_, index) => open(url, role, `host-${index}`));
    try {
      const [reader, ...stores] = opened.map(({ store }) => store);
      const figures = reader === undefined ? {} : await follow(reader, stores, seconds, run.signal);
      return [sectionOf(figures)];
    } finally {
      for (const { close } of opened) await close();
    }
  });
}

function open(url: string, role: string | undefined, host: string): Opened {
  const database = openDatabase({ url, ...(role === undefined ? {} : { role }), connections: 4 });
  const store = openPostgresStore(database, { host });
  const close = async () => {
    await store.close();
    await database.close();
  };
  return { store, close };
}

async function follow(
  reader: PostgresStore,
  stores: readonly PostgresStore[],
  seconds: number,
  signal: AbortSignal,
): Promise<Figures> {
  const until = Date.now() + seconds * 1000;
  const isOver = () => signal.aborted || Date.now() > until;
  let written = 0;
  const seen = { last: 0, count: 0, skipped: 0, disordered: 0, writing: true };
  const callers = stores.flatMap((store) => Array.from({ length: callersPerWriter }, () => store));
  const done = Promise.all(
    callers.map(async (store) => {
      for (; !isOver(); written++) await store.append(newUuid(), envelope(), { expectedPosition: 0 });
    }),
  ).finally(() => {
    seen.writing = false;
  });
  for (let more = true; more || seen.writing;) {
    more = false;
    for await (const { globalPosition } of reader.readAll({ after: seen.last })) {
      more = true;
      if (globalPosition > seen.last + 1) seen.skipped += globalPosition - seen.last - 1;
      if (globalPosition <= seen.last) seen.disordered++;
      seen.last = globalPosition;
      seen.count++;
    }
  }
  await done;
  return {
    'events/s': written / seconds,
    written,
    read: seen.count,
    skipped: seen.skipped + Math.max(0, written - seen.count),
    'out of order': seen.disordered,
  };
}

const envelope = () => ({
  messageId: newUuid(),
  messageType: 'OrderCreated',
  payload: { note: 'x'.repeat(200) },
  timestamp: new Date().toISOString(),
  v: 1 as const,
});

const sectionOf = (figures: Figures): Section => ({
  title: `tail: ${writers} pools of ${callersPerWriter} callers, one reader`,
  figures: ['events/s', 'written', 'read', 'skipped', 'out of order'],
  baseline: 'reader',
  rounds: new Map([['reader', [figures]]]),
  targets: [
    { figure: 'skipped', of: 'reader', atMost: 0 },
    { figure: 'out of order', of: 'reader', atMost: 0 },
  ],
  missing: [],
});
