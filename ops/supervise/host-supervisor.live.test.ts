import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openRaw } from '../../endpoints/testing/http-client.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { createOrder } from '../testing/order-load.js';
import { svc } from '../testing/spawned-host.js';
import { isAlive, pids, type SpawnedSupervisor, withSupervisor } from '../testing/spawned-supervisor.js';
import type { SupervisorStatus } from './status-socket.js';

const running = suite('a running supervisor');

const shared = sharedIn<SpawnedSupervisor>(running, (use) =>
  withStore((url) => withSupervisor({ env: { DATABASE_URL: url } }, use)),
);

running('two hosts serve one address, each under its own name', () =>
  shared(async (supervisor) => {
    const { hosts, state, url: address, pid } = await supervisor.status();
    assert.equal([address, state, pid], [supervisor.url, 'running', supervisor.pid]);
    assert.equal(
      hosts.map(({ name, state: at, restarts }) => [name, at, restarts]),
      [
        ['north-1', 'running', 0],
        ['north-2', 'running', 0],
      ],
    );
    assert.ok(hosts.every(({ memory = 0 }) => memory > 10e6));
    assert.is((await createOrder(supervisor.url)).status, 200);
  }),
);

running('svc supervise --status prints text or JSON; without a supervisor it exits with 1', () =>
  shared(async ({ dataDir, pid }) => {
    const shown = await svcInProcess(['supervise', '--status'], { SVC_DATA_DIR: dataDir });
    assert.match(shown.stdout, new RegExp(`running, process ${pid}\\n`));
    assert.match(shown.stdout, /^north-2 +running +\d+ +0 +\d+ MB/m);
    const named = await svcInProcess(['supervise', 'examples/orders', '--status'], { SVC_DATA_DIR: dataDir });
    assert.match(named.stdout, /^north-2 +running/m);
    const json = await svc(['supervise', '--status', '--json'], { SVC_DATA_DIR: dataDir });
    assert.is((JSON.parse(json.stdout) as SupervisorStatus).hosts[1]?.name, 'north-2');
    const none = await svc(['supervise', '--status'], { SVC_DATA_DIR: `${dataDir}/none` });
    assert.is(none.code, 1);
    assert.match(none.stderr, /^svc: No supervisor is running in [^\n]+\n$/);
  }),
);

running('a data folder has one supervisor', () =>
  shared(async ({ dataDir, pid }) => {
    const second = await svc(['supervise', 'examples/orders'], {
      SVC_DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://none',
    });
    assert.match(second.stderr, new RegExp(`^svc: Process ${pid} already supervises hosts in `));
    assert.is(second.code, 1);
  }),
);

running('after SIGTERM its hosts wait 4 s for silent connections, then it and all of them end', () =>
  shared(async (supervisor) => {
    const { hosts } = await supervisor.status();
    const silent = await openRaw(supervisor.url);
    const from = performance.now();
    const ended = supervisor.kill('SIGTERM');
    await silent.closed;
    assert.ok(performance.now() - from >= 4_000);
    assert.equal(await ended, { code: 0, signal: null });
    assert.equal(pids({ hosts } as SupervisorStatus).filter(isAlive), []);
  }),
);

const test = suite('supervise');

test('an application that cannot be started is reported on one line, and nothing is left running', () =>
  withStore((url) =>
    withFolder(async (folder) => {
      const { code, stderr } = await svc(['supervise', 'examples/nothing', '--hosts', '2'], {
        DATABASE_URL: url,
        SVC_DATA_DIR: folder,
      });
      assert.is(code, 1);
      assert.match(
        stderr,
        /^svc: process \d+ exited [^\n]+: There is no application at examples\/nothing\.\n$/,
      );
    }),
  ));
