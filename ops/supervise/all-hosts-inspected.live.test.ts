import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { RequestDetail } from '../console/model/requests.js';
import { createOrder } from '../testing/order-load.js';
import { until } from '../../runtime/kit/until.js';
import { withHosts, read, requestsOf, inspecting } from '../testing/inspected-hosts.js';

const test = suite('all hosts');

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
