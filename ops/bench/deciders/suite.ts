import { accountHost, appendBooked } from '../../../actors/testing/account-hosts.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import { openDatabase } from '../../../runtime/database/database.js';
import type { KeptStates } from '../../../runtime/deciders/kept-states.js';
import { postgresKeptStates } from '../../../runtime/deciders/postgres-kept-states.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { openPostgresStore, type PostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import type { Figures } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { writersSection } from './writers.js';

const short = 10;

/** Commands on a short and a long stream, and many writers on one stream. */
export const deciders = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => {
    const { role } = await migrate({ ownerUrl: url });
    const database = openDatabase({ url, ...(role === undefined ? {} : { role }) });
    const stores = ['one', 'other'].map((host) => openPostgresStore(database, { host }));
    try {
      const [store] = stores;
      if (store === undefined) return [];
      run.printProgress('deciders: a short and a long stream');
      const lengths = await lengthsSection(store, postgresKeptStates(database), run);
      run.printProgress('deciders: 64 writers');
      return [lengths, await writersSection(stores, run)];
    } finally {
      for (const store of stores) await store.close();
      await database.close();
    }
  });

async function lengthsSection(store: PostgresStore, kept: KeptStates, run: SuiteRun): Promise<Section> {
  const { rounds, signal } = run;
  const [long, samples] = [Math.max(2 * short, scaled(10_000, run)), scaled(40, run)];
  const [few, many, other] = [newUuid(), newUuid(), newUuid()];
  await fill(store, few, short);
  await fill(store, many, long);
  await fill(store, other, long);
  const warm = accountHost(store, { kept, freezes: false });
  for (const account of [few, many, other]) await warm.book(account, 1);
  const found = new Map<string, Figures[]>([
    [nameOf(short), []],
    [nameOf(long), []],
  ]);
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    const times = {
      warmFew: [] as number[],
      warmMany: [] as number[],
      coldFew: [] as number[],
      coldMany: [] as number[],
    };
    // In turn, so that whatever else the machine does slows down both.
    for (let at = 0; at < samples; at++) {
      times.warmFew.push(await timeOf(() => warm.book(few, 1)));
      times.warmMany.push(await timeOf(() => warm.book(many, 1)));
      const fresh = newUuid();
      await fill(store, fresh, short);
      times.coldFew.push(await timeOf(() => accountHost(store, { kept, freezes: false }).book(fresh, 1)));
      times.coldMany.push(await timeOf(() => accountHost(store, { kept, freezes: false }).book(other, 1)));
    }
    const middle = (list: readonly number[]) => quantile([...list], 0.5);
    found.get(nameOf(short))?.push({ 'warm ms': middle(times.warmFew), 'cold ms': middle(times.coldFew) });
    found.get(nameOf(long))?.push({ 'warm ms': middle(times.warmMany), 'cold ms': middle(times.coldMany) });
  }
  return {
    title: 'deciders: a command on a short and on a long stream',
    figures: ['warm ms', 'cold ms'],
    baseline: nameOf(short),
    rounds: found,
    targets: [
      { figure: 'warm ms', of: nameOf(long), against: nameOf(short), atMost: 1.2 },
      { figure: 'cold ms', of: nameOf(long), against: nameOf(short), atMost: 3 },
    ],
    missing: [],
  };
}

const nameOf = (length: number): string => `${length} events`;

async function fill(store: PostgresStore, account: Uuid, length: number): Promise<void> {
  for (let left = length; left > 0; left -= 500)
    await appendBooked(store, account, ...Array.from({ length: Math.min(500, left) }, () => 1));
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
