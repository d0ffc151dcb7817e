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

test('hosts that are killed and frozen with calls on their way lose nothing, and store nothing twice', () =>
  withEffectHosts(async (hosts) => {
    hosts.answerMs = 200;
    await askForLabels(hosts.store, 200);
    const frozen = hosts.start();
    await until(() => hosts.printed.size > 20);
    frozen.kill('SIGSTOP');
    for (let kill = 1; kill <= 2; kill++) {
      const before = hosts.printed.size;
      const killed = hosts.start();
      await until(() => hosts.printed.size > before + 20);
      killed.kill('SIGKILL');
    }
    hosts.start();
    frozen.kill('SIGCONT');
    await until(async () => (await waitingLabels(hosts)) === 0, 90_000);
    assert.equal(await labelFaults(hosts, 200), noLabelFaults);
  }));
