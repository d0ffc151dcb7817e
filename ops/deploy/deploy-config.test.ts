import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { deployConfigIn, readDeployConfig } from './deploy-config.js';

const test = suite('deploy.json');

const read = (value: unknown) => deployConfigIn(JSON.stringify(value), '/srv/orders/deploy.json');

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'invalid-setup');
    return error.message;
  }
  return 'accepted';
};

test('the driver gets what is not common to all drivers', () => {
  const haproxy = { driver: 'haproxy', socket: '/run/haproxy.sock', backend: 'orders', replicas: 2 };
  assert.equal(read({ ...haproxy, url: 'http://127.0.0.1:8080', pre: 'npm test' }), {
    driver: 'haproxy',
    service: 'orders',
    replicas: 2,
    pre: 'npm test',
    post: undefined,
    url: 'http://127.0.0.1:8080',
    forDriver: haproxy,
  });
});

test('a driver of your own is found from the folder of the file', () => {
  assert.is(read({ driver: './ops/front.js' }).driver, '/srv/orders/ops/front.js');
});

test('all bad values are reported at once, with the file', () => {
  assert.is(
    refusal(() => read({ driver: 'nginx', replicas: 0, pre: ['a'], post: 'a\nb', url: 'ftp://a' })),
    '/srv/orders/deploy.json: "driver" must be haproxy, kubernetes, or the path of a module such as ./driver.js; ' +
      '"replicas" must be a whole number from 1 to 1000; "pre" must be a command in one line; ' +
      '"post" must be a command in one line; "url" must be a URL such as http://127.0.0.1:8080.',
  );
});

test('every field that is wrong in kind is named', () => {
  const wrong = [null, true, '', 'a\nb', [], {}];
  for (const field of ['driver', 'service', 'replicas', 'pre', 'post', 'url'])
    for (const value of wrong)
      assert.match(
        refusal(() => read({ driver: 'haproxy', [field]: value })),
        new RegExp(`^/srv/orders/deploy\\.json: "${field}" must be [^\n]+\\.$`),
      );
});

for (const text of [
  '',
  '{',
  '[]',
  'null',
  '"haproxy"',
  '{"driver":{}}',
  '{"__proto__":{"driver":"haproxy"}}',
])
  test(`${text} is refused in one line`, () => {
    assert.match(
      refusal(() => deployConfigIn(text, 'deploy.json')),
      /^deploy\.json: [^\n]+\.$/,
    );
  });

test('a file that is too long is not parsed', () => {
  assert.match(
    refusal(() => deployConfigIn(' '.repeat(70_000), 'deploy.json')),
    'longer than 65536 characters',
  );
});

test('a missing file is named', async () => {
  const missing = await readDeployConfig('/nowhere/deploy.json').catch((error: unknown) => error);
  assert.match(String(missing), 'There is no /nowhere/deploy.json; write one that names a driver');
});

test('a folder in place of the file is named', async () => {
  const folder = await readDeployConfig('/').catch((error: unknown) => error);
  assert.match(String(folder), '/ cannot be read (EISDIR); write one that names a driver');
});
