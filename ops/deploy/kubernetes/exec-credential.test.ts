import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { runExecPlugin } from './exec-credential.js';

const test = suite('credential plugin');

test('a plugin that does not end in time is reported in one line', async () => {
  const plugin = { command: 'sleep', args: ['60'], env: {}, apiVersion: 'client.authentication.k8s.io/v1' };
  const refusal = await runExecPlugin(plugin, process.env, 0, AbortSignal.timeout(50)).catch(
    (error: unknown) => error,
  );
  assert.ok(refusal instanceof Problem);
  assert.is(
    refusal.message,
    "The program 'sleep' of the kubeconfig did not end in time; run kubectl get pods to see why.",
  );
});
