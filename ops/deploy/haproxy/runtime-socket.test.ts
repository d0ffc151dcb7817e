import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { haproxyConfigOf } from './config.js';
import { Front } from './front.js';
import { runtimeCommand } from './runtime-socket.js';

const test = suite('runtime socket');

const { signal } = new AbortController();

const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: unknown) => (error as Error).message,
  );

/** A socket with this behavior. */
const withSocket = (serve: (socket: Socket) => void, body: (path: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const path = join(folder, 'admin.sock');
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      serve(socket);
    }).listen(path);
    await once(server, 'listening');
    try {
      await body(path);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

test('a socket that cannot be opened is reported on one line', () =>
  withFolder(async (folder) => {
    const missing = await refusalOf(runtimeCommand(`${folder}/none.sock`, 'show info', signal));
    assert.match(missing, /^HAProxy cannot be reached at \S+: there is no such socket; compare [^\n]+$/);
    await writeFile(`${folder}/file`, '');
    const file = await refusalOf(runtimeCommand(`${folder}/file`, 'show info', signal));
    assert.match(file, /: (?:HAProxy is not running|this is not a socket); /);
  }));

test('an answer without end is cut off', () =>
  withSocket(
    (socket) => {
      const more = (): void => void socket.write('x'.repeat(65_536), () => !socket.destroyed && more());
      more();
    },
    async (path) => {
      const refusal = await refusalOf(runtimeCommand(path, 'show stat', signal));
      assert.match(refusal, /: its answer is longer than 65536 characters; /);
    },
  ));

test('a socket that accepts and does not answer is given up when the signal aborts', () =>
  withSocket(
    () => undefined,
    async (path) => {
      const refusal = await refusalOf(runtimeCommand(path, 'show stat', AbortSignal.timeout(20)));
      assert.match(refusal, /: the wait was ended; /);
    },
  ));

const frontAt = (socket: string): Front =>
  new Front(haproxyConfigOf({ socket, backend: 'a', slots: { b: { port: 1 }, c: { port: 2 } } }, '/'));

for (const [version, expected] of [
  ['2.6.12-1+deb12u4', '7'],
  ['3.2.0', '7'],
  ['2.5.9', 'HAProxy 2.5.9 is too old; 2.6 or newer is needed.'],
  ['1.8.30', 'HAProxy 1.8.30 is too old; 2.6 or newer is needed.'],
  ['many', 'The socket does not belong to an HAProxy.'],
] as const)
  test(`HAProxy ${version} is ${expected === '7' ? 'used' : 'refused'}`, () =>
    withSocket(
      (socket) => socket.end(`Name: HAProxy\nVersion: ${version}\nPid: 7\n\n`),
      async (path) => {
        assert.is(
          await frontAt(path)
            .process(signal)
            .catch((error: unknown) => (error as Error).message),
          expected,
        );
      },
    ));

test('a refused change is reported with the command and the reason', () =>
  withSocket(
    (socket) => socket.end('Permission denied\n\n'),
    async (path) => {
      assert.is(
        await refusalOf(frontAt(path).setWeights([['b', 10]], signal)),
        'HAProxy refused set server a/b state ready: Permission denied',
      );
    },
  ));

for (const part of [
  '',
  'Na',
  'Name: HAProxy\nVersion: 2.6.12\nPid: 7\n',
  '# pxname,svname,\norders,gre',
  'No',
])
  test(`a socket that closes after ${JSON.stringify(part)} has answered nothing`, () =>
    withSocket(
      (socket) => socket.end(part),
      async (path) => {
        const front = frontAt(path);
        for (const asked of [
          front.process(signal),
          front.stats(['b'], signal),
          front.setWeights([['b', 10]], signal),
          front.setMap({}, signal),
        ])
          assert.match(
            await refusalOf(asked),
            /^HAProxy cannot be reached at \S+: its answer breaks off; [^\n]+$/,
          );
      },
    ));

test('garbage is refused in one short line', () =>
  withSocket(
    (socket) => socket.end(`\u001b[2J${'x'.repeat(60_000)}\nmore\n\n`),
    async (path) => {
      const front = frontAt(path);
      assert.is(await refusalOf(front.process(signal)), 'The socket does not belong to an HAProxy.');
      assert.is(
        await refusalOf(front.stats(['b'], signal)),
        'HAProxy did not answer show stat with statistics.',
      );
      assert.match(
        await refusalOf(front.setWeights([['b', 10]], signal)),
        /^HAProxy refused set server a\/b state ready: \\u001b\[2Jx{150,200}$/,
      );
      assert.match(await refusalOf(front.setMap({}, signal)), /^HAProxy uses no map canary\.map; /);
    },
  ));
