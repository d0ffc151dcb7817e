import { suite } from '../../contracts/testing/suite.js';
import type { ActorNode } from '../console/model/actor-node.js';
import { createOrder } from '../testing/order-load.js';
import { impatient, pids, replacedAfterMs } from '../testing/spawned-supervisor.js';
import { until } from '../../runtime/kit/until.js';
import { withHosts, inspecting } from '../testing/inspected-hosts.js';

const test = suite('all hosts');

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
