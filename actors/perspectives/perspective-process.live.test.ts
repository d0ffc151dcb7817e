import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { type Account, booked } from '../testing/ledger.js';
import { modelOf, told, until } from '../testing/perspective-hosts.js';

const test = suite('perspectives in processes that die');

const program = fileURLToPath(new URL('../testing/perspective-process.js', import.meta.url));
const streams = Array.from({ length: 7 }, newUuid);

interface Scene {
  readonly owner: Database;
  readonly store: PostgresStore;
  readonly start: (failpoints?: string) => ChildProcess;
}

const withProcesses = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const start: Scene['start'] = (failpoints = '') => {
      const child = spawn(process.execPath, [program, url], {
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

/** Writes on, a late one now and then; answers what each account must hold. */
async function write(store: PostgresStore, count: number, known = new Map<string, [number, number][]>()) {
  for (let n = 0; n < count; n++) {
    const stream = streams[n % streams.length] ?? '';
    const entries = known.get(stream) ?? [];
    known.set(stream, entries);
    const isLate = n % 11 === 10;
    const at = isLate
      ? (entries[0]?.[0] ?? 0) - 60_000
      : (entries.at(-1)?.[0] ?? Date.now() - 3_600_000) + 1_000;
    await store.append(stream, booked(n), { occurredAt: new Date(at).toISOString() });
    if (isLate) entries.unshift([at, n]);
    else entries.push([at, n]);
  }
  return known;
}

const mustHold = async (owner: Database, known: ReadonlyMap<string, [number, number][]>): Promise<void> => {
  for (const view of ['svc_per_accounts', 'svc_per_ledger'])
    for (const [stream, entries] of known)
      assert.equal(
        (await modelOf<Account>(owner, stream, view))?.amounts,
        entries.map(([, amount]) => amount),
      );
};

const cursors = (owner: Database) =>
  owner.rows({
    text: "SELECT name, owner, position FROM svc_cursors WHERE name LIKE 'svc_per_%' ORDER BY name",
  });

const stand = (owner: Database) => async (): Promise<boolean> => {
  const [row] = await owner.rows({
    text: `SELECT count(*) = 2 AND bool_and(position >= (SELECT max(global_position) FROM svc_events)) FROM svc_cursors WHERE name LIKE 'svc_per_%'`,
  });
  return row?.[0] === 't';
};

test('two hosts share the perspectives; when one is killed the other has them within 5 seconds', () =>
  withProcesses(async ({ owner, store, start }) => {
    const first = start();
    await until(async () => (await cursors(owner)).filter(([, by]) => by !== null).length === 2);
    const before = await cursors(owner);
    start();
    const known = await write(store, 100);
    await until(stand(owner));
    assert.equal(
      (await cursors(owner)).map(([, by]) => by),
      before.map(([, by]) => by),
    );
    first.kill('SIGKILL');
    await write(store, 1, known);
    const took = await until(stand(owner));
    assert.ok(took < 5_000, `${took} ms`);
    await mustHold(owner, known);
  }));

test('a frozen host is replaced within 5 seconds and does no harm when it wakes up', () =>
  withProcesses(async ({ owner, store, start }) => {
    const frozen = start();
    await until(async () => (await cursors(owner)).filter(([, by]) => by !== null).length === 2);
    start();
    const known = await write(store, 30);
    frozen.kill('SIGSTOP');
    await write(store, 50, known);
    const took = await until(stand(owner));
    assert.ok(took < 5_000, `${took} ms`);
    frozen.kill('SIGCONT');
    await write(store, 50, known);
    await until(stand(owner));
    await mustHold(owner, known);
  }));

for (const failpoint of [
  'perspective-before-write@3',
  'perspective-after-write@3',
  'rewind-after-started@2',
  'rewind-before-close',
])
  test(`a host that dies at ${failpoint} loses nothing, and nothing is told twice`, () =>
    withProcesses(async ({ owner, store, start }) => {
      const known = await write(store, 5);
      const dying = start(failpoint);
      const ended = once(dying, 'close');
      await until(async () => (await cursors(owner)).filter(([, by]) => by !== null).length === 2);
      await write(store, 150, known);
      const [, signal] = (await ended) as [number | null, string | null];
      assert.is(signal, 'SIGKILL');
      start();
      await until(stand(owner));
      await mustHold(owner, known);
      await until(async () => (await owner.rows({ text: 'SELECT 1 FROM svc_rewinds' })).length === 0);
      const events = await told(owner, '%Rewind%');
      const starts = events.filter(([type]) => type === 'StreamRewindStarted').length;
      assert.ok(starts > 0);
      assert.is(events.filter(([type]) => type === 'StreamRewindCompleted').length, starts);
      const pairs = (type: string) => events.filter(([name]) => name === type).length;
      assert.is(pairs('PerspectiveRewindStarted'), pairs('PerspectiveRewindCompleted'));
      const replayed = (type: string, field: string) =>
        events.filter(([name]) => name === type).reduce((sum, [, data]) => sum + Number(data[field]), 0);
      assert.is(
        replayed('StreamRewindCompleted', 'totalEventsReplayed'),
        replayed('PerspectiveRewindCompleted', 'eventsReplayed'),
      );
    }));

test.run();
