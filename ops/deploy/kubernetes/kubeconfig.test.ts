import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { parseBlockYaml } from './block-yaml.js';
import { longestKubeconfig, parseKubeconfig } from './kubeconfig.js';

const test = suite('a kubeconfig');

const written = `# made by a cloud tool
apiVersion: v1
kind: Config
preferences: {}
current-context: "shop"
contexts:
- name: test
  context: {"cluster": "test", "user": "test"}
- context:
    cluster: arn:aws:eks:eu-west-1:123456789012:cluster/shop
    user: 'it''s me' # a person
    namespace: shop
  name: shop
clusters:
  - cluster:
      certificate-authority-data: ${Buffer.from('the authority').toString('base64')}
      server: https://10.0.0.1:6443/k8s/clusters/c-1
      tls-server-name: kubernetes
    name: arn:aws:eks:eu-west-1:123456789012:cluster/shop
users:
- name: it's me
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: aws
      args:
      - --region
      - eu-west-1
      - eks
      - get-token
      env:
      - name: AWS_PROFILE
        value: shop
      installHint: |
        Install the tool: see its page

        and log in
      interactiveMode: IfAvailable
      provideClusterInfo: false
`;

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

test('the same document in JSON is the same kubeconfig', () => {
  assert.equal(parseKubeconfig(JSON.stringify(parse(written))), parseKubeconfig(written));
});

test('block YAML is read as a parser of the whole language reads it', () => {
  for (const text of [
    written.replace(/ +installHint: [^]*log in\n/, ''),
    'a:\n  b:\n    - c: d\n      e: f\n    -\n      g: h\nj: ~\nk: true\n',
    '- a\n- "b\\n"\n- \'c: d\'\n- e: {}\n  f: []\n',
    '---\n\n# note\na: b # note\n"c d": e#f\n',
    'url: https://a:1/b?c=d#e\nempty:\nlast: x\n',
  ]) {
    assert.equal(JSON.parse(JSON.stringify(parseBlockYaml(text))), parse(text), text);
  }
});

test('YAML that is not understood is refused rather than guessed', () => {
  for (const text of [
    'a: &x b\nc: *x',
    'a: !!binary x',
    'a: "b\n  c"',
    'a: {b: c}',
    '\ta: b',
    'a\nb',
    'a: b\n c: d',
  ])
    assert.throws(
      () => parseBlockYaml(text),
      (error: unknown) => error instanceof SyntaxError,
      text,
    );
  assert.throws(() => parseBlockYaml(Array.from({ length: 40 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')));
});

test('names such as __proto__ are only names', () => {
  const read = parseBlockYaml('__proto__:\n  polluted: true\n') as Record<string, unknown>;
  assert.equal(Object.keys(read), ['__proto__']);
  assert.is(({} as Record<string, unknown>)['polluted'], undefined);
});

for (const [name, text, line] of [
  ['no context', 'contexts: []', 'no context is chosen'],
  ['a context that is missing', 'current-context: a', 'the chosen context is not in contexts'],
  ['no URL', written.replace('https://10.0.0.1', 'ftp://x'), 'the server of the cluster must be a URL'],
  ['broken YAML', 'a: [', 'its YAML is not understood'],
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
