import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { freePort } from '../../../runtime/database/embedded/operating-system.js';
import { exampleHere } from '../../../runtime/testing/process-root.js';
import { svcInProcess } from '../../testing/in-process-cli.js';
import { quick, withFront } from '../../testing/simulated-deployments.js';

const test = suite('svc deploy, bad input');

test('a revision that never becomes ready is reverted in one line', () =>
  withFront(async ({ svc, front, configure }) => {
    configure({ neverReady: true });
    const { code, stderr } = await svc('rolling', '--revision', '1.5.0', '--ready-timeout', '1s');
    assert.equal(
      [code, stderr],
      [
        1,
        'svc: The deployment of 1.5.0 was reverted to 1.4.2: could not wait until 2 hosts of new are ready: 0 ready after 1 s.\n',
      ],
    );
    assert.equal([front().toNew, front().sides.old.replicas], [0, 3]);
  }));

test('a front that cannot be reached, an unknown revision and one that serves already are refused in one line', () =>
  withFront(async ({ svc, states }) => {
    const unknown = await svc('canary', '--revision', '0.9.0');
    assert.equal(
      [unknown.code, unknown.stderr],
      [1, 'svc: There is no revision 0.9.0; known are 1.5.0, 1.4.2.\n'],
    );
    const serving = await svc('canary', '--revision', '1.4.2');
    assert.equal(
      [serving.code, serving.stderr],
      [1, 'svc: 1.4.2 is already serving; deploy another revision.\n'],
    );
    assert.equal(await states(), []);
    const gone = await svc('canary', 'registry.example.com/orders', '--revision', 'unreachable');
    assert.equal([gone.code, gone.stderr], [1, 'svc: There is no front at /run/front.sock.\n']);
    assert.equal(await states(), [['unreachable', 'reverted']]);
  }));

test('a socket of HAProxy that is not there and a driver that cannot be loaded are refused in one line', () =>
  withFront(async ({ svc, configure, states }) => {
    const slots = { blue: { port: 3001 }, green: { port: 3002 } };
    const haproxy = { driver: 'haproxy', backend: 'orders', slots, requestsPerSecond: undefined };
    configure({ ...haproxy, socket: '/nowhere/admin.sock' });
    const socket = await svc('canary', exampleHere('orders'), '--revision', '2.0.0');
    assert.is(socket.code, 1);
    assert.match(socket.stderr, /^svc: [^\n]*\/nowhere\/admin\.sock[^\n]*\n$/);
    assert.equal(await states(), [['2.0.0', 'reverted']]);
    configure({ driver: './nowhere.js' });
    const driver = await svc('canary', exampleHere('orders'), '--revision', '2.0.0');
    assert.match(driver.stderr, /^svc: [^\n]*deploy\.json: the driver cannot be loaded: [^\n]*\n$/);
    configure({ driver: 'nginx' });
    const unknown = await svc('canary', exampleHere('orders'), '--revision', '2.0.0');
    assert.match(unknown.stderr, /^svc: [^\n]*"driver" must be haproxy, kubernetes, or the path[^\n]*\n$/);
  }));

test('a deploy.json that is wrong is refused by --dry-run as well', () =>
  withFront(async ({ svc, configure }) => {
    const slots = { blue: { port: 3001 }, green: { port: 3002 } };
    const haproxy = { driver: 'haproxy', backend: 'orders', slots, requestsPerSecond: undefined };
    for (const [settings, reason] of [
      [{ ...haproxy, socket: 5 }, /"socket" must be a path/],
      [{ ...haproxy, socket: 'a', state: {} }, /"state" must be a path/],
      [
        { driver: 'kubernetes', namespace: 'A b', requestsPerSecond: undefined },
        /namespace must be a name of K/,
      ],
      [{ driver: './nowhere.js' }, /the driver cannot be loaded: /],
      [{ service: 5 }, /"service" must be a name/],
    ] as const) {
      configure(settings);
      for (const more of [['--dry-run'], ['--dry-run', '--json'], []]) {
        const { code, stdout, stderr } = await svc('canary', 'registry.example.com/orders:2.0.0', ...more);
        assert.equal([code, stdout], [1, '']);
        assert.match(stderr, /^svc: [^\n]+\n$/);
        assert.match(stderr, reason);
      }
    }
  }));

test('a database that is down is reported by status and history in one line', async () => {
  const env = { DATABASE_URL: `postgres://svc:secret@127.0.0.1:${await freePort()}/svc` };
  for (const action of ['status', 'history', 'abort']) {
    const { code, stdout, stderr } = await svcInProcess(['deploy', action], env);
    assert.equal([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^svc: PostgreSQL does not answer at 127\.0\.0\.1:\d+ \(ECONNREFUSED\); start it, or correct DATABASE_URL\.\n$/,
    );
  }
});

test('a database that accepts connections and never answers is reported in one line', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const { port } = silent.address() as AddressInfo;
    const env = { DATABASE_URL: `postgres://svc:secret@127.0.0.1:${port}/svc` };
    const { code, stderr } = await svcInProcess(['deploy', 'status'], env);
    assert.is(code, 1);
    assert.match(stderr, /^svc: PostgreSQL does not answer [^\n]*correct DATABASE_URL\.\n$/);
  } finally {
    silent.close();
    for (const socket of sockets) socket.destroy();
  }
});

test('a check that fails stops a deployment before it changes anything', () =>
  withFront(async ({ svc, front }) => {
    const { code, stderr } = await svc('canary', '--revision', '1.5.0', '--pre', 'exit 3', ...quick);
    assert.is(code, 1);
    assert.match(stderr, /reverted to 1\.4\.2: the pre-deployment checks failed: exit 3: exit code 3\.\n$/);
    assert.is(front().sides.new.replicas, 0);
    const after = await svc('canary', '--revision', '1.5.0', '--post', 'false', ...quick);
    assert.match(after.stderr, /the post-deployment checks failed: false: exit code 1\.\n$/);
    assert.equal([front().toNew, front().sides.new.replicas], [0, 0]);
  }));
