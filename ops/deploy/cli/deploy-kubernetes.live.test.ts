import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { orderImage, requestsWithErrors, withKubernetes } from '../../testing/kubernetes-deployments.js';

const test = suite('svc deploy on Kubernetes');

test('a revision that fails too often is reverted, and nothing of it remains in the route', () =>
  withKubernetes(async ({ svc, driver, api, readRoute }) => {
    api.metricsOf = requestsWithErrors(0.2);
    const before = await readRoute();
    const { code, stderr } = await svc(
      ...['canary', orderImage('1.1'), '--replicas', '3', '--stage-time', '1m', '--min-sample', '50'],
    );
    assert.is(code, 1);
    assert.match(stderr, /The deployment of 1\.1 was reverted to 1\.0: 16\.7 % of \d+ requests failed/);
    assert.equal((await readRoute()).spec, before.spec);
    assert.is((await driver.revisions(AbortSignal.timeout(60_000))).current, '1.0');
  }));
