import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { ActorNode } from '../console/model/actor-node.js';
import type { HealthFigures } from '../console/model/health.js';
import type { LifecycleFigures } from '../console/model/lifecycle.js';
import type { RequestDetail } from '../console/model/requests.js';
import { createOrder } from '../testing/order-load.js';
import { type SpawnedSupervisor } from '../testing/spawned-supervisor.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { withHosts, names, read, requestsOf } from '../testing/inspected-hosts.js';

const test = suite('all hosts');

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
