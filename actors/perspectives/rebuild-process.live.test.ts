import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { perspectiveTable } from '../../runtime/perspectives/table.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { type Account, accounts, booked } from '../testing/ledger.js';
import { modelOf, told, until } from '../testing/perspective-hosts.js';

const test = suite('rebuilds in processes that die');

const program = fileURLToPath(new URL('../testing/rebuild-process.js', import.meta.url));
const { table } = perspectiveTable(accounts());
const streams = Array.from({ length: 5 }, newUuid);

interface Scene {
  readonly owner: Database;
  readonly store: PostgresStore;
  readonly start: (mode?: string, failpoints?: string) => ChildProcess;
}

const withProcesses = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const start: Scene['start'] = (mode, failpoints = '') => {
      const child = spawn(process.execPath, [program, url, ...(mode === undefined ? [] : [mode])], {
        env: { ...process.env, SVC_FAILPOINTS: failpoints, SVC_LOG: 'fatal' },
        stdio: 'inherit',
      });
      children.push(child);
      ends.push(once(child, 'close'));
      return child;
    };
    try {
      await body({ owner: connect({ owner: true }), store: openStore(), start });
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    }
  });

/** Every fifth one is late. */
async function write(store: PostgresStore, known: Map<string, [number, number][]>): Promise<void> {
  for (let n = 0; n < 60; n++) {
    const stream = streams[n % streams.length] ?? '';
    const entries = known.get(stream) ?? [];
    known.set(stream, entries);
    const isLate = n % 11 === 10;
    const at =
      (isLate ? (entries[0]?.[0] ?? 0) - 60_000 : (entries.at(-1)?.[0] ?? Date.now() - 3_600_000)) + 1_000;
    await store.append(stream, booked(n), { occurredAt: new Date(at).toISOString() });
    if (isLate) entries.unshift([at, n]);
    else entries.push([at, n]);
  }
}

const mustHold = async (owner: Database, known: ReadonlyMap<string, [number, number][]>): Promise<void> => {
  for (const [stream, entries] of known)
    assert.equal(
      (await modelOf<Account>(owner, stream))?.amounts,
      entries.map(([, amount]) => amount),
    );
};

const stands = (owner: Database) => async (): Promise<boolean> => {
  const text = `SELECT position >= (SELECT max(global_position) FROM svc_events) FROM svc_cursors WHERE name = '${table}'`;
  return (await owner.rows({ text }))[0]?.[0] === 't';
};

const rebuilds = async (owner: Database): Promise<string[]> =>
  (await owner.rows({ text: 'SELECT state FROM svc_rebuilds ORDER BY requested_at' })).map(
    ([state]) => state ?? '',
  );

/** Nobody has to wait for the lease of a dead process. */
const forgetLeases = async (owner: Database): Promise<void> => {
  await owner.rows({ text: "UPDATE svc_rebuilds SET lease_until = '-infinity'" });
  await owner.rows({ text: "UPDATE svc_cursors SET lease_until = '-infinity'" });
};

const deaths: readonly (readonly [string, string])[] = [
  ['BlueGreen', 'rebuild-after-page'],
  ['BlueGreen', 'rebuild-after-write'],
  ['BlueGreen', 'rebuild-after-replay'],
  ['BlueGreen', 'rebuild-after-verify'],
  ['BlueGreen', 'rebuild-before-swap'],
  ['BlueGreen', 'rebuild-after-swap'],
  ['InPlace', 'rebuild-after-truncate'],
  ['InPlace', 'rebuild-after-page'],
];

for (const [mode, failpoint] of deaths)
  test(`a ${mode} rebuild that dies at ${failpoint} is gone on with by another host, and told once`, () =>
    withProcesses(async ({ owner, store, start }) => {
      const known = new Map<string, [number, number][]>();
      await write(store, known);
      const first = start();
      await until(
        async () =>
          (await owner.rows({ text: `SELECT to_regclass('${table}') IS NOT NULL` }))[0]?.[0] === 't',
      );
      await until(stands(owner));
      first.kill('SIGKILL');
      await once(first, 'close');
      await owner.rows({ text: `UPDATE ${table} SET model = '{"amounts": [666]}'` });
      await forgetLeases(owner);
      const [, signal] = (await once(start(mode, failpoint), 'close')) as [number | null, string | null];
      assert.is(signal, 'SIGKILL');
      if (mode === 'BlueGreen') {
        const seen = await owner.rows({
          text: `SELECT model = '{"amounts": [666]}', count(*) FROM svc_per_accounts GROUP BY 1`,
        });
        assert.equal(seen, [[failpoint === 'rebuild-after-swap' ? 'f' : 't', '5']]);
      }
      await forgetLeases(owner);
      await write(store, known);
      start();
      await until(async () => (await rebuilds(owner)).every((state) => state === 'done'));
      await until(stands(owner));
      await mustHold(owner, known);
      const events = (await told(owner, 'PerspectiveRebuild%')).map(([type]) => type);
      const ends = events.filter((type) => type !== 'PerspectiveRebuildProgress');
      assert.equal(ends, ['PerspectiveRebuildStarted', 'PerspectiveRebuildCompleted']);
    }));

test('while two hosts run and one rebuilds, nothing is lost and readers see whole models only', () =>
  withProcesses(async ({ owner, store, start }) => {
    const known = new Map<string, [number, number][]>();
    await write(store, known);
    start();
    await until(
      async () => (await owner.rows({ text: `SELECT to_regclass('${table}') IS NOT NULL` }))[0]?.[0] === 't',
    );
    await until(stands(owner));
    const counts = new Set<string>();
    const reading = { goesOn: true };
    const reads = (async () => {
      while (reading.goesOn)
        for (const place of ['svc_per_accounts', table])
          counts.add((await owner.rows({ text: `SELECT count(*) FROM ${place}` }))[0]?.[0] ?? '');
    })();
    for (let round = 1; round <= 3; round++) {
      start('BlueGreen');
      await write(store, known);
      await until(async () => (await rebuilds(owner)).join(' ') === Array(round).fill('done').join(' '));
    }
    reading.goesOn = false;
    await reads;
    await until(stands(owner));
    await mustHold(owner, known);
    assert.equal([...counts], ['5']);
  }));

test.run();
