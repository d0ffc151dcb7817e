import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { allRun, pids, type SpawnedSupervisor, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('host metrics');

async function metricsOf(url: string, query = '') {
  const answer = await fetch(`${url}/metrics${query}`, { headers: { connection: 'close' } });
  return { status: answer.status, text: await answer.text() };
}

/** The sum of a metric over its labels. */
const sumOf = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((sum, [line]) => sum + Number(line.split(' ').at(-1)), 0);

const posted = /^http_server_request_duration_seconds_count\{[^}]*POST[^}]*\} \d+$/gm;

/** Each test adds to what the hosts have counted. */
const withHosts = sharedIn<SpawnedSupervisor>(test, (use) =>
  withStore((url) => withSupervisor({ env: { DATABASE_URL: url } }, use)),
);

let placed = 0;

async function place40(url: string): Promise<void> {
  await Promise.all(Array.from({ length: 40 }, () => createOrder(url)));
  placed += 40;
}

test('every host serves the metrics of all hosts, and with ?host= of one', () =>
  withHosts(async (supervisor) => {
    await place40(supervisor.url);
    for (let n = 0; n < 6; n++) {
      // A host that is too slow to answer is left out.
      await until(async () => {
        const { text, status } = await metricsOf(supervisor.url);
        assert.ok([200, 503].includes(status), String(status));
        return sumOf(text, posted) === placed && sumOf(text, /^svc_host_up\{.*$/gm) === 2;
      });
    }
    await untilPasses(async () => {
      const each = await Promise.all(
        ['north-1', 'north-2'].map(async (name) => (await metricsOf(supervisor.url, `?host=${name}`)).text),
      );
      assert.is(
        each.reduce((sum, text) => sum + sumOf(text, posted), 0),
        placed,
      );
      assert.match(each[1] ?? '', /^svc_host_restarts_total\{host="north-2"\} 0$/m);
    });
    assert.is((await metricsOf(supervisor.url, '?host=nobody')).status, 404);
  }));

test('requests that a lost host had counted stay in the sum', () =>
  withHosts(async (supervisor) => {
    const counted = async (): Promise<number> => {
      const { status, text } = await metricsOf(supervisor.url).catch(() => ({ status: 0, text: '' }));
      return status === 200 ? sumOf(text, posted) : 0;
    };
    await place40(supervisor.url);
    await until(async () => (await counted()) === placed);
    const before = pids(await supervisor.status());
    for (const pid of before) {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      const isReplaced = async () => {
        const status = await supervisor.status();
        return allRun(status) && !pids(status).includes(pid);
      };
      await until(isReplaced);
      let sum = 0;
      await until(async () => (sum = await counted()) > 0);
      assert.is(sum, placed);
    }
  }));
