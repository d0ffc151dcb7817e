import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { suite } from '../../contracts/testing/suite.js';
import type { ActorNode } from '../console/model/actor-node.js';
import type { HealthFigures } from '../console/model/health.js';
import type { LifecycleFigures } from '../console/model/lifecycle.js';
import type { RequestDetail, RequestItem } from '../console/model/requests.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { createOrder } from '../testing/order-load.js';
import {
  impatient,
  pids,
  replacedAfterMs,
  type SpawnedSupervisor,
  withSupervisor,
} from '../testing/spawned-supervisor.js';
import { until, untilPasses } from '../../runtime/testing/until.js';

const test = suite('all hosts');

const withHosts = (
  body: (supervisor: SpawnedSupervisor) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> =>
  withStore((url) => withSupervisor({ env: { DATABASE_URL: url, SVC_INSPECT: '1', ...env } }, body));

const names = ['north-1', 'north-2'];

/** Uses a new connection, so that any host may get it. */
async function read<T>({ url }: SpawnedSupervisor, path: string): Promise<T> {
  const answer = await fetch(`${url}/console/api/${path}`, { headers: { connection: 'close' } });
  return (await answer.json()) as T;
}

const requestsOf = (supervisor: SpawnedSupervisor, query = '') =>
  read<RequestItem[]>(supervisor, `requests?limit=200${query}`);

/** Sends requests until each host has handled one; returns their number. */
async function orderFromBoth(supervisor: SpawnedSupervisor): Promise<number> {
  for (let made = 1; ; made++) {
    assert.is((await createOrder(supervisor.url)).status, 200);
    const hosts = new Set((await requestsOf(supervisor)).map(({ host }) => host));
    if (hosts.size === names.length) return made;
    assert.ok(made < 150, 'one host gets no request');
  }
}

/** On a busy machine a host may answer too late, and is left out. */
async function mustShowBoth(supervisor: SpawnedSupervisor, made: number): Promise<void> {
  assert.equal(await read(supervisor, 'hosts'), names);
  assert.is((await requestsOf(supervisor)).length, made);
  const { requests, states } = await read<LifecycleFigures>(supervisor, 'lifecycle');
  assert.is(requests, made);
  assert.is(states.find(({ state }) => state === 'completed')?.count, made);
}

test('the console of every host shows all hosts, and with ?host= one', () =>
  withHosts(async (supervisor) => {
    const made = await orderFromBoth(supervisor);
    for (let n = 0; n < 6; n++) await untilPasses(() => mustShowBoth(supervisor, made));
    await untilPasses(async () => {
      const all = await requestsOf(supervisor);
      const each = await Promise.all(names.map((name) => requestsOf(supervisor, `&host=${name}`)));
      assert.is(all.length, made);
      assert.equal(
        each.map((requests) => requests.map(({ id }) => id)),
        names.map((name) => all.filter(({ host }) => host === name).map(({ id }) => id)),
      );
      const times = all.map(({ startedAt }) => startedAt);
      assert.equal(times, times.toSorted().toReversed());
    });
    await untilPasses(async () => {
      const counts = await Promise.all(
        names.map((name) => read<LifecycleFigures>(supervisor, `lifecycle?host=${name}`)),
      );
      assert.is(
        counts.reduce((sum, { requests }) => sum + requests, 0),
        made,
      );
    });
    for (const { id, host } of (await requestsOf(supervisor)).slice(0, 6))
      await untilPasses(async () => {
        const detail = await read<RequestDetail>(supervisor, `requests/${id}`);
        const created = detail.events.filter(({ eventType }) => eventType === 'OrderCreated');
        assert.equal([detail.host, created.length], [host, 1]);
      });
    await untilPasses(async () => {
      const tree = await read<ActorNode[]>(supervisor, 'actors');
      assert.equal(
        tree.map(({ name, state }) => [name, state]),
        names.map((name) => [name, 'running']),
      );
      assert.ok(tree.every(({ children = [] }) => children.some(({ name }) => name === 'outbox-relay')));
    });
    await untilPasses(async () => {
      const { checks } = await read<HealthFigures>(supervisor, 'health');
      assert.equal(new Set(checks.map(({ host }) => host)), new Set(names));
    });
    assert.is((await read<{ status: number }>(supervisor, 'lifecycle?host=nobody')).status, 404);
  }));

interface Frame {
  readonly rootId: string;
}

async function inspecting(supervisor: SpawnedSupervisor, query = '') {
  const socket = new WebSocket(`${supervisor.url.replace('http', 'ws')}/inspect${query}`);
  const hosts = new Set<string>();
  const ids: string[] = [];
  socket.on('message', (data: Buffer) => {
    const { rootId } = JSON.parse(data.toString()) as Frame;
    // Steps of processes are sent while they happen, and are not kept for later inspectors.
    if (rootId.includes('/order-fulfilment/')) return;
    hosts.add(rootId.split('/')[0] ?? '');
    ids.push(data.toString());
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => void socket.once('open', resolve));
  return { socket, hosts, ids };
}

test('an inspector sees the frames of every host, each once; with ?host= those of one host', () =>
  withHosts(async (supervisor) => {
    const all = await inspecting(supervisor);
    const second = await inspecting(supervisor, '?host=north-2');
    // A host learns only some time later that it is watched.
    await until(async () => {
      await createOrder(supervisor.url);
      return all.hosts.size === 2 && second.hosts.size === 1;
    });
    assert.equal([...second.hosts], ['north-2']);
    // A later inspector receives what was recorded, on any host.
    const late = await inspecting(supervisor);
    const sorted = (ids: readonly string[]) => [...new Set(ids)].toSorted().join('\n');
    await until(() => late.hosts.size === 2 && sorted(late.ids) === sorted(all.ids));
    assert.is(new Set(all.ids).size, all.ids.length);
    for (const { socket } of [all, second, late]) socket.terminate();
    await until(async () => {
      const before = (await requestsOf(supervisor)).length;
      await createOrder(supervisor.url);
      await until(async () => (await requestsOf(supervisor)).length > before);
      const [latest] = await requestsOf(supervisor);
      const { steps } = await read<RequestDetail>(supervisor, `requests/${latest?.id ?? ''}`);
      // Nothing is recorded without a watcher.
      return steps.length === 0;
    });
  }));

test('a lost host is shown as unreachable until its replacement appears under its name', () =>
  withHosts(async (supervisor) => {
    const [lost] = pids(await supervisor.status());
    process.kill(lost ?? -1, 'SIGSTOP');
    const states = async () => {
      const answer = await fetch(`${supervisor.url}/console/api/actors`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(3_000),
      }).catch(() => undefined);
      return ((await answer?.json()) as ActorNode[] | undefined)?.map(({ state }) => state) ?? [];
    };
    await until(async () => (await states()).includes('unreachable'));
    await replacedAfterMs(supervisor, lost);
    await until(async () => (await states()).join() === 'running,running');
    const { socket, hosts } = await inspecting(supervisor);
    await until(async () => {
      await createOrder(supervisor.url);
      return hosts.size === 2;
    });
    socket.terminate();
  }, impatient));
