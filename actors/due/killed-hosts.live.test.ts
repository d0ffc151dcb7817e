import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import {
  askForLabels,
  labelFaults,
  noLabelFaults,
  waitingLabels,
  withEffectHosts,
} from '../testing/effect-hosts.js';

const test = suite('effects of hosts that die');

for (const point of ['effect-claimed', 'effect-called', 'effect-after-commit'])
  test(`a host that dies at ${point} loses nothing, and no outcome is stored twice`, () =>
    withEffectHosts(async (hosts) => {
      await askForLabels(hosts.store, 20);
      const killed = hosts.start(`${point}@3`);
      const [, signal] = await once(killed, 'close');
      assert.is(signal, 'SIGKILL');
      hosts.start();
      await until(async () => (await waitingLabels(hosts)) === 0);
      assert.equal(await labelFaults(hosts, 20), noLabelFaults);
      // Once more for those that were on their way when the host died.
      assert.ok(Math.max(...hosts.printed.values()) <= 2);
    }));

test('a request that ends its host each time is parked after five calls, and the others go on', () =>
  withEffectHosts(async (hosts) => {
    await askForLabels(hosts.store, 20);
    const [[deadly = ''] = []] = await hosts.owner.rows({ text: 'SELECT id FROM svc_timers LIMIT 1' });
    hosts.deadly = deadly ?? '';
    let [deaths, isEnough] = [0, false];
    const keepStarting = (): void =>
      void hosts.start().once('close', () => {
        deaths++;
        if (!isEnough) keepStarting();
      });
    keepStarting();
    const parked = () => hosts.owner.rows({ text: 'SELECT id, error FROM svc_timers WHERE parked' });
    await until(async () => (await parked()).length > 0, 120_000);
    await until(async () => (await waitingLabels(hosts)) === 1);
    isEnough = true;
    const [[id, error] = []] = await parked();
    assert.equal(
      [id, error?.split(':')[0], deaths, hosts.printed.get(deadly ?? '')],
      [deadly, 'effect-lost', 5, 5],
    );
    assert.equal(await labelFaults(hosts, 20), { ...noLabelFaults, lost: 1 });
  }));
