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

test('a host that wakes up after its claim stores nothing of the answer that it gets', () =>
  withEffectHosts(async (hosts) => {
    hosts.answerMs = 500;
    await askForLabels(hosts.store, 1);
    const frozen = hosts.start();
    await until(() => hosts.printed.size === 1);
    frozen.kill('SIGSTOP');
    const other = hosts.start();
    await until(async () => (await waitingLabels(hosts)) === 0);
    other.kill('SIGKILL');
    frozen.kill('SIGCONT');
    // What it does next shows that it is past the first one.
    await askForLabels(hosts.store, 1);
    await until(async () => (await waitingLabels(hosts)) === 0);
    assert.equal([...hosts.printed.values()], [2, 1]);
    assert.equal(await labelFaults(hosts, 2), noLabelFaults);
    const dropped = "SELECT 1 FROM svc_system_events WHERE event_type = 'EffectDropped'";
    assert.equal(await hosts.owner.rows({ text: dropped }), []);
  }));

test('of three hosts, of which the one that calls is killed, no more than five ever call at once', () =>
  withEffectHosts(async (hosts) => {
    hosts.answerMs = 100;
    await askForLabels(hosts.store, 120, { concurrency: 5 });
    const start = () => hosts.start('', { concurrency: 5 });
    const running = [start(), start(), start()];
    // One of them is the one that calls.
    for (const host of running) {
      const before = hosts.printed.size;
      await until(() => hosts.printed.size > before + 5);
      host.kill('SIGKILL');
      start();
    }
    await until(async () => (await waitingLabels(hosts)) === 0, 120_000);
    assert.is(hosts.most(), 5);
    assert.equal(await labelFaults(hosts, 120), noLabelFaults);
  }));
