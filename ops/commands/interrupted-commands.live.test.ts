import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFront } from '../testing/simulated-deployments.js';
import { interruptWhileStoring } from '../testing/interrupted-command.js';

const test = suite('commands that are interrupted while they store what they begin');

test('a deployment is reverted', () =>
  withFront(async ({ start, states, owner, front }) => {
    const command = await interruptWhileStoring(owner, 'svc_deployments', () =>
      start(['canary', '--revision', '1.5.0', '--stage-time', '1h']),
    );
    assert.is((await command.ended).code, 1);
    assert.match(
      command.output.stderr.join(''),
      /^svc: Interrupted; the deployment is reverted\.\nsvc: The deployment of 1\.5\.0 was reverted to 1\.4\.2: the deploy command was interrupted\.\n$/,
    );
    assert.equal(await states(), [['1.5.0', 'reverted']]);
    assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
  }));
