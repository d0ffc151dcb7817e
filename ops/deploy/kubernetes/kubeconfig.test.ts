import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { longestKubeconfig, parseKubeconfig } from './kubeconfig.js';

const test = suite('a kubeconfig');

const cluster = 'arn:aws:eks:eu-west-1:123456789012:cluster/shop';

const written = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'shop',
  contexts: [
    { name: 'test', context: { cluster: 'test', user: 'test' } },
    { name: 'shop', context: { cluster, user: "it's me", namespace: 'shop' } },
  ],
  clusters: [
    {
      name: cluster,
      cluster: {
        'certificate-authority-data': Buffer.from('the authority').toString('base64'),
        server: 'https://10.0.0.1:6443/k8s/clusters/c-1',
        'tls-server-name': 'kubernetes',
      },
    },
  ],
  users: [
    {
      name: "it's me",
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          command: 'aws',
          args: ['--region', 'eu-west-1', 'eks', 'get-token'],
          env: [{ name: 'AWS_PROFILE', value: 'shop' }],
          installHint: 'Install the tool: see its page\n\nand log in\n',
          interactiveMode: 'IfAvailable',
          provideClusterInfo: false,
        },
      },
    },
  ],
});

test('what cloud tools write is read: server, authority, plugin and its environment', () => {
  const { exec, server, ca, tlsServerName, insecure, token } = parseKubeconfig(written);
  assert.is(server, 'https://10.0.0.1:6443/k8s/clusters/c-1');
  assert.equal(ca, { text: 'the authority' });
  assert.equal([tlsServerName, insecure, token], ['kubernetes', false, undefined]);
  assert.equal(exec, {
    command: 'aws',
    args: ['--region', 'eu-west-1', 'eks', 'get-token'],
    env: { AWS_PROFILE: 'shop' },
    apiVersion: 'client.authentication.k8s.io/v1beta1',
  });
});

for (const [name, text, line] of [
  ['no context', '{"contexts":[]}', 'no context is chosen'],
  ['a context that is missing', '{"current-context":"a"}', 'the chosen context is not in contexts'],
  ['no URL', written.replace('https://10.0.0.1', 'ftp://x'), 'the server of the cluster must be a URL'],
  ['broken JSON', '{', 'it is neither YAML nor JSON'],
  ['too much', ' '.repeat(longestKubeconfig + 1), 'it is longer than'],
] as const) {
  test(`a kubeconfig with ${name} is refused with one line that repeats nothing of it`, () => {
    try {
      parseKubeconfig(text);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, Problem);
      assert.match((error as Problem).message, `The kubeconfig cannot be used: ${line}`);
      assert.not.match((error as Problem).message, /arn:|authority/);
    }
  });
}
