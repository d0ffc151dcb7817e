import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { withFolder } from '../../runtime/database/embedded/temporary-folder.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { createOrder, startLoad } from '../testing/order-load.js';
import { svc } from '../testing/spawned-host.js';
import { moodyApp, type SpawnedSupervisor, withSupervisor } from '../testing/spawned-supervisor.js';
import type { SupervisorStatus } from './status-socket.js';

const test = suite('supervise');

const pids = ({ hosts }: SupervisorStatus) => hosts.map(({ pid }) => pid);
const allRun = ({ hosts }: SupervisorStatus) =>
  hosts.every(({ state, pid }) => state === 'running' && pid !== undefined);

/** How long until all run and none is the one that was lost. */
async function replacedAfterMs(supervisor: SpawnedSupervisor, lost: number | undefined): Promise<number> {
  const from = Date.now();
  await supervisor.until((status) => allRun(status) && !pids(status).includes(lost));
  return Date.now() - from;
}

const act = (url: string, mood: string) => post(url, { mood }, { path: '/act' });

function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? -1, 0);
    return true;
  } catch {
    return false;
  }
}

test('two hosts serve one address, each under a name of its own', () =>
  withDatabase((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async (supervisor) => {
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
      assert.equal(await supervisor.kill('SIGTERM'), { code: 0, signal: null });
      assert.equal(pids({ hosts } as SupervisorStatus).filter(isAlive), []);
    }),
  ));

test('svc supervise --status tells people and machines; where nobody supervises it ends with 1', () =>
  withDatabase((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async ({ dataDir, pid }) => {
      const shown = await svc(['supervise', '--status'], { SVC_DATA_DIR: dataDir });
      assert.match(shown.stdout, new RegExp(`running, process ${pid}\\n`));
      assert.match(shown.stdout, /^north-2 +running +\d+ +0 +\d+ MB/m);
      const json = await svc(['supervise', '--status', '--json'], { SVC_DATA_DIR: dataDir });
      assert.is((JSON.parse(json.stdout) as SupervisorStatus).hosts[1]?.name, 'north-2');
      const none = await svc(['supervise', '--status'], { SVC_DATA_DIR: `${dataDir}/none` });
      assert.is(none.code, 1);
      assert.match(none.stderr, /^svc: No supervisor runs in [^\n]+\n$/);
      const second = await svc(['supervise', 'examples/orders'], {
        SVC_DATA_DIR: dataDir,
        DATABASE_URL: url,
      });
      assert.match(second.stderr, new RegExp(`^svc: Process ${pid} supervises hosts in `));
      assert.is(second.code, 1);
    }),
  ));

test('a rolling restart under 64 keep-alive clients fails no request; a second one meanwhile is refused', () =>
  withDatabase((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async (supervisor) => {
      const before = pids(await supervisor.status());
      const load = startLoad({ url: supervisor.url, clients: 64 });
      await load.reached(500);
      process.kill(supervisor.pid, 'SIGHUP');
      await supervisor.heard('"rolling restart"');
      process.kill(supervisor.pid, 'SIGHUP');
      await supervisor.heard('"no rolling restart now"');
      await supervisor.heard('"rolling restart done"');
      await load.reached(load.acknowledged.size + 500);
      await load.stop();
      assert.equal([...load.others], [], 'nothing but 200');
      const after = await supervisor.status();
      assert.ok(pids(after).every((pid) => !before.includes(pid)));
      assert.equal(before.filter(isAlive), []);
      assert.equal(
        after.hosts.map(({ restarts }) => restarts),
        [0, 0],
      );
    }),
  ));

test('after kill -9 of one of two hosts the other serves on, and a new one is ready in less than 3 s', () =>
  withDatabase((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async (supervisor) => {
      await delay(1_000);
      const [lost] = pids(await supervisor.status());
      process.kill(lost ?? -1, 'SIGKILL');
      const answers = Array.from({ length: 20 }, () => createOrder(supervisor.url));
      const tookMs = await replacedAfterMs(supervisor, lost);
      assert.ok(tookMs < 3_000, `it took ${tookMs} ms`);
      for (const answer of await Promise.all(answers)) assert.is(answer.status, 200);
      const [first] = (await supervisor.status()).hosts;
      assert.equal([first?.restarts, first?.lastError], [1, `process ${lost} was ended by SIGKILL`]);
    }),
  ));

test('a host whose event loop is blocked is killed and replaced in less than 3 s, and the other serves on', () =>
  withDatabase((url) =>
    withSupervisor({ env: { DATABASE_URL: url }, source: moodyApp() }, async (supervisor) => {
      await delay(1_000);
      const before = pids(await supervisor.status());
      const from = Date.now();
      const stuck = act(supervisor.url, 'stuck').catch((error: unknown) => error);
      await delay(100);
      const served = await act(supervisor.url, 'calm');
      assert.is(served.status, 200);
      assert.instance(await stuck, Error, 'its connection is lost with its host');
      await supervisor.until((status) => allRun(status) && before.some((pid) => !pids(status).includes(pid)));
      const tookMs = Date.now() - from;
      assert.ok(tookMs < 3_000, `it took ${tookMs} ms`);
      const { hosts } = await supervisor.status();
      assert.match(JSON.stringify(hosts), /because its event loop was blocked/);
      assert.equal(before.filter(isAlive).length, 1);
    }),
  ));

test('a host that takes too much memory is replaced without being missed', () =>
  withDatabase((url) =>
    withSupervisor(
      { env: { DATABASE_URL: url }, source: moodyApp(), args: ['--max-memory', '350M'] },
      async (supervisor) => {
        const { pid } = jsonOf(await act(supervisor.url, 'greedy')) as { pid: number };
        await supervisor.until((status) => allRun(status) && !pids(status).includes(pid));
        while (isAlive(pid)) await delay(20);
        assert.is((await act(supervisor.url, 'calm')).status, 200);
        assert.equal(
          (await supervisor.status()).hosts.map(({ restarts }) => restarts),
          [0, 0],
        );
      },
    ),
  ));

test('hosts that end again and again are given up: the others drain, and the supervisor ends with 1', () =>
  withDatabase((url) =>
    withSupervisor(
      { env: { DATABASE_URL: url }, source: moodyApp(), args: ['--max-restarts', '2'] },
      async (supervisor) => {
        while (isAlive(supervisor.pid)) {
          await act(supervisor.url, 'dying').catch(() => undefined);
          await delay(20);
        }
        assert.equal(await supervisor.ended, { code: 1, signal: null });
        assert.match(
          supervisor.said.stdout.join(''),
          /cannot be kept running: process \d+ ended with code 3/,
        );
      },
    ),
  ));

test('an application that cannot be started is told on one line, and nothing is left', () =>
  withDatabase((url) =>
    withFolder(async (folder) => {
      const { code, stderr } = await svc(['supervise', 'examples/nothing', '--hosts', '2'], {
        DATABASE_URL: url,
        SVC_DATA_DIR: folder,
      });
      assert.is(code, 1);
      assert.match(
        stderr,
        /^svc: process \d+ ended [^\n]+: There is no application at examples\/nothing\.\n$/,
      );
    }),
  ));

async function metricsOf(url: string, query = '') {
  const answer = await fetch(`${url}/metrics${query}`, { headers: { connection: 'close' } });
  return { status: answer.status, text: await answer.text() };
}

/** What a metric says, added up over its labels. */
const sumOf = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((sum, [line]) => sum + Number(line.split(' ').at(-1)), 0);

const posted = /^http_server_request_duration_seconds_count\{[^}]*POST[^}]*\} \d+$/gm;

test('whichever host is asked, /metrics tells of all of them, and ?host= of one', () =>
  withDatabase((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async (supervisor) => {
      await Promise.all(Array.from({ length: 40 }, () => createOrder(supervisor.url)));
      for (let n = 0; n < 6; n++) {
        const { text, status } = await metricsOf(supervisor.url);
        assert.is(status, 200);
        assert.is(sumOf(text, posted), 40);
        assert.is(sumOf(text, /^svc_host_up\{.*$/gm), 2);
      }
      const each = await Promise.all(
        ['north-1', 'north-2'].map(async (name) => (await metricsOf(supervisor.url, `?host=${name}`)).text),
      );
      assert.is(
        each.reduce((sum, text) => sum + sumOf(text, posted), 0),
        40,
      );
      assert.match(each[1] ?? '', /^svc_host_restarts_total\{host="north-2"\} 0$/m);
      assert.is((await metricsOf(supervisor.url, '?host=nobody')).status, 404);
    }),
  ));

test('when the supervisor is killed no host outlives it', () =>
  withDatabase((url) =>
    withSupervisor({ env: { DATABASE_URL: url } }, async (supervisor) => {
      const hosts = pids(await supervisor.status());
      assert.is(hosts.filter(isAlive).length, 2);
      await supervisor.kill('SIGKILL');
      for (let n = 0; n < 500 && hosts.some(isAlive); n++) await delay(10);
      assert.equal(hosts.filter(isAlive), []);
    }),
  ));

test('the embedded server belongs to the supervisor: it survives every host, and stops last', () =>
  withSupervisor({ env: {} }, async (supervisor) => {
    assert.is((await createOrder(supervisor.url)).status, 200);
    const [lost] = pids(await supervisor.status());
    process.kill(lost ?? -1, 'SIGKILL');
    await replacedAfterMs(supervisor, lost);
    assert.is((await createOrder(supervisor.url)).status, 200);
    assert.equal(await supervisor.kill('SIGTERM'), { code: 0, signal: null });
  }));

test.run();
