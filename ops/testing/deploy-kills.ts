import * as assert from 'uvu/assert';
import { until } from '../../runtime/kit/until.js';
import { stepsOf } from '../deploy/plan.js';
import { defaultOptions } from '../deploy/default-options.js';
import type { Strategy } from '../deploy/steps.js';
import { quick, withFront } from './simulated-deployments.js';

/** How many steps a deployment of the simulated front has. */
export const stepCount = (strategy: Strategy): number =>
  stepsOf(strategy, { ...defaultOptions(strategy), replicas: 3, oldReplicas: 3, stages: [10, 100] }).length;

/** Kills the command with SIGKILL after each of these steps; each time the old revision must serve again. */
export const mustSurviveKills = (strategy: Strategy, steps: readonly number[]): Promise<void> =>
  withFront(async ({ start, front, states, events }) => {
    for (const [at, step] of steps.entries()) {
      const command = start([strategy, '--revision', '1.5.0', ...quick, '--stages', '10,100'], {
        SVC_FAILPOINTS: `deploy-end-step@${step}`,
      });
      const { signal } = await command.ended;
      assert.is(signal, 'SIGKILL', `${strategy}, step ${step}`);
      await until(async () => (await states()).every(([, state]) => state === 'reverted'));
      assert.is((await states()).length, at + 1);
      const { toNew, isForced, sides } = front();
      assert.equal([toNew, isForced, sides.old.replicas, sides.new.replicas], [0, false, 3, 0]);
      const [last] = (await events()).slice(-1);
      assert.is(last?.[0], 'DeploymentReverted');
      assert.match(
        command.output.stderr.join(''),
        /^svc: The deploy command of 1\.5\.0 ended; .*\nsvc: The deployment of 1\.5\.0 was reverted to 1\.4\.2: the deploy command ended before the deployment did\.\n$/,
      );
    }
  });
