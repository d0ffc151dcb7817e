import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { quick, withFront } from '../../testing/simulated-deployments.js';

const test = suite('the watcher of a deployment, killed');

test('when command and watcher are killed, every verb says what was left, and resume or abort ends it', () =>
  withFront(async ({ svc, start, front, expire, states }) => {
    const left =
      /^svc: The rolling deployment of 1\.5\.0 by ann was left at 50 %: no process drives it; run svc deploy abort or (?:svc deploy )?resume\.\n$/;
    const leave = async (): Promise<void> => {
      const command = start(['rolling', '--revision', '1.5.0', '--max-surge', '1', ...quick], {
        SVC_FAILPOINTS: 'deploy-end-step@6,deploy-take-over',
      });
      await command.ended;
      await expire();
    };
    await leave();
    for (const verb of ['status', 'history']) assert.match((await svc(verb)).stderr, left);
    assert.match((await svc('canary', '--revision', '1.5.0')).stderr, left);
    const aborted = await svc('abort');
    assert.is(aborted.code, 0);
    assert.equal([front().toNew, front().sides.old.replicas], [0, 3]);
    await leave();
    const resumed = await svc('resume');
    assert.is(resumed.code, 0);
    assert.equal([front().toNew, front().sides.new.replicas], [100, 3]);
    assert.equal(await states(), [
      ['1.5.0', 'reverted'],
      ['1.5.0', 'completed'],
    ]);
  }));

test('a watcher that is killed is replaced, and the next one reverts after a kill -9', () =>
  withFront(async ({ start, front, states }) => {
    const command = start(['canary', '--revision', '1.5.0', '--stage-time', '1h']);
    await until(() => front().toNew === 10);
    const [first = 0] = await childrenOf(command.pid);
    process.kill(first, 'SIGKILL');
    await until(async () => (await childrenOf(command.pid)).some((pid) => pid !== first));
    await command.kill('SIGKILL');
    await until(async () => (await states()).every(([, state]) => state === 'reverted'));
    assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
  }));

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, of, state]) => Number(of) === parent && state?.startsWith('Z') === false)
    .map(([pid]) => Number(pid));
}
