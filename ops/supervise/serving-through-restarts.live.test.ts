import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { createOrder, startLoad } from '../testing/order-load.js';
import {
  isAlive,
  pids,
  replacedAfterMs,
  type SpawnedSupervisor,
  withSupervisor,
} from '../testing/spawned-supervisor.js';
import { requestOfSupervisor } from './status-socket.js';

const test = suite('hosts that are killed or restarted');

const shared = sharedIn<SpawnedSupervisor>(test, (use) =>
  withStore((url) => withSupervisor({ env: { DATABASE_URL: url } }, use)),
);

test('a rolling restart under 64 keep-alive clients fails no request; a second one or a scaling meanwhile is refused', () =>
  shared(async (supervisor) => {
    const before = await supervisor.status();
    const load = startLoad({ url: supervisor.url, clients: 64, pauseMs: 1_000 });
    await load.reached(2 * 64);
    process.kill(supervisor.pid, 'SIGHUP');
    await supervisor.untilLogged('"rolling restart started"');
    process.kill(supervisor.pid, 'SIGHUP');
    await supervisor.untilLogged('"the rolling restart is refused for now"');
    assert.is(
      await requestOfSupervisor(supervisor.dataDir, { scale: 3 }).catch((error: Error) => error.message),
      'The supervisor is reloading; scale it later.',
    );
    await supervisor.untilLogged('"rolling restart done"');
    await load.reached(load.acknowledged.size + 2 * 64);
    await load.stop();
    const after = await supervisor.status();
    assert.equal([...load.others], [], `nothing but 200: ${JSON.stringify(after.hosts)}`);
    assert.ok(pids(after).every((pid) => !pids(before).includes(pid)));
    assert.equal(pids(before).filter(isAlive), []);
    assert.equal(
      after.hosts.map(({ restarts }) => restarts),
      before.hosts.map(({ restarts }) => restarts),
    );
  }));

test('after kill -9 of one of two hosts the other keeps serving, and a new one is ready soon', () =>
  shared(async (supervisor) => {
    const [lost] = pids(await supervisor.status());
    process.kill(lost ?? -1, 'SIGKILL');
    const answers = Array.from({ length: 20 }, () => createOrder(supervisor.url));
    const tookMs = await replacedAfterMs(supervisor, lost);
    assert.ok(tookMs < supervisor.replacedWithinMs, `it took ${tookMs} ms`);
    for (const answer of await Promise.all(answers)) assert.is(answer.status, 200);
    const [first] = (await supervisor.status()).hosts;
    assert.equal([first?.restarts, first?.lastError], [1, `process ${lost} was killed by SIGKILL`]);
  }));
