import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { verifyChain } from '../audit/verify-chain.js';
import { connect } from '../database/connect.js';
import { openOwner } from '../database/schema-owner.js';
import { execute } from '../kit/database.js';
import { until } from '../kit/until.js';
import { migrate } from '../migrations/migrate.js';
import { withLogicalServers } from '../testing/logical-servers.js';
import { rowsOf } from '../testing/rows-of.js';
import { testRecorder } from '../testing/small-segments.js';
import { resumeMove } from './end-move.js';
import { type Moved, type MovePorts, moveStore } from './move-store.js';

const test = suite('a move between servers that crash');

/** Writes one row after another, and knows which are committed. */
function startWriter(source: string) {
  const run = { isOver: false };
  const committed: number[] = [];
  const write = async (): Promise<void> => {
    for (let id = 1; !run.isOver; id++) {
      const written = await execute(source, `INSERT INTO written VALUES (${id})`).then(
        () => true,
        () => false,
      );
      if (written) committed.push(id);
      await delay(10);
    }
  };
  const done = write();
  return {
    committed,
    stop: async () => {
      run.isOver = true;
      await done;
    },
  };
}

/** The server ends all its processes, and recovers. */
async function crash(url: string): Promise<void> {
  const [[pid] = []] = await rowsOf(
    url,
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
  );
  process.kill(Number(pid), 'SIGKILL');
}

const recovered = (url: string): Promise<unknown> =>
  until(() =>
    rowsOf(url, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );

const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'written'::regclass`;

/** Crashes the server once the mover makes writers wait, while it waits itself for one that has begun. */
async function crashWhileHeld(source: string, url: string): Promise<void> {
  const [begun, watcher] = [await connect(source), await connect(source)];
  // They end with their server.
  for (const client of [begun, watcher]) client.on('error', () => undefined);
  try {
    await begun.query('BEGIN; LOCK TABLE written IN ROW EXCLUSIVE MODE');
    await until(async () => (await watcher.query(waiting)).rowCount !== 0);
    await crash(url);
  } finally {
    await Promise.allSettled([begun.end(), watcher.end()]);
  }
}

test('whichever of them crashes, while tables are copied or while writers wait: a resumed move loses nothing', () =>
  withLogicalServers(async ({ urls: [source, target] }) => {
    await migrate({ ownerUrl: source });
    await execute(source, 'CREATE TABLE written (id int PRIMARY KEY); INSERT INTO written VALUES (0)');
    const writer = startWriter(source);
    const by = () => Promise.resolve({ operator: { ...testRecorder, changedBy: 'ann' } });
    let isBegun = false;
    const attempt = async (progress: MovePorts['progress']): Promise<Moved | string> => {
      const moved = isBegun
        ? resumeMove(source, { by, progress })
        : moveStore(source, target, { by, progress });
      isBegun = true;
      return moved.catch((error: unknown) => String(error));
    };
    const onceCopying = (url: string): Promise<Moved | string> => {
      let isCrashed = false;
      return attempt((what) => {
        if (what === 'sealed segments' || isCrashed) return;
        isCrashed = true;
        void crash(url);
      });
    };
    const onceHeld = async (url: string): Promise<Moved | string> => {
      const [ended] = await Promise.all([attempt(() => undefined), crashWhileHeld(source, url)]);
      return ended;
    };
    const attempts = [
      () => onceCopying(source),
      () => onceCopying(target),
      () => onceHeld(source),
      () => onceHeld(target),
      ...Array.from({ length: 3 }, () => () => attempt(() => undefined)),
    ];
    const failures: string[] = [];
    try {
      for (const tryIt of attempts) {
        const ended = await tryIt();
        await Promise.all([source, target].map(recovered));
        if (typeof ended !== 'string') break;
        failures.push(ended);
      }
    } finally {
      await writer.stop();
    }
    assert.ok(failures.length > 0 && failures.length < attempts.length, failures.join('\n'));
    assert.not.match(failures.join(), '\n');
    const ids = (await rowsOf(target, 'SELECT id FROM written ORDER BY 1')).map(([id]) => Number(id));
    const lost = writer.committed.filter((id) => !ids.includes(id));
    assert.equal(lost, []);
    assert.ok(writer.committed.length > 50, String(writer.committed.length));
    const owner = openOwner(target, 'svc-test');
    try {
      assert.ok((await verifyChain(owner)).ok);
    } finally {
      await owner.close();
    }
  }));
