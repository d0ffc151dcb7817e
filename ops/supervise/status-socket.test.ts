import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, connect, Server } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { statusOf, statusSocket, type SupervisorControl } from './status-socket.js';

const test = suite('status socket');

const control: SupervisorControl = {
  status: () => ({ pid: 7, app: 'bakery', url: '', state: 'running', wanted: 0, hosts: [], quarantined: [] }),
  scale: () => undefined,
  stop: () => undefined,
};

test('a client that keeps its side open does not keep the supervisor from stopping', () =>
  withFolder(async (folder) => {
    const socket = await statusSocket(folder, control);
    const client = connect({ path: join(folder, 'supervisor.sock'), allowHalfOpen: true });
    await once(client, 'connect');
    client.resume();
    await once(client, 'end');
    await socket.stop();
    client.destroy();
    assert.is(await statusOf(folder), undefined);
  }));

test('only its owner may ever connect to the socket', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'supervisor.sock');
    const modes: number[] = [];
    const { listen } = Server.prototype;
    // The moment at which it can be connected to.
    Server.prototype.listen = function listenAndLook(this: Server, ...given: unknown[]) {
      Reflect.apply(listen, this, given);
      modes.push(statSync(path).mode & 0o777);
      return this;
    };
    try {
      const socket = await statusSocket(folder, control);
      modes.push(statSync(path).mode & 0o777);
      await socket.stop();
    } finally {
      Server.prototype.listen = listen;
    }
    assert.equal(modes, [0o600, 0o600]);
  }));

test('a supervisor that accepts and does not answer is reported on one line', () =>
  withFolder(async (folder) => {
    const frozen = createServer().listen(join(folder, 'supervisor.sock'));
    await once(frozen, 'listening');
    try {
      await withFakeTimeouts(async (clock) => {
        const asked = statusOf(folder).catch((error: Error) => error.message);
        await once(frozen, 'connection');
        clock.advance(15_000);
        assert.match((await asked) as string, /^The supervisor of [^\n]+ does not answer; [^\n]+$/);
      });
    } finally {
      frozen.close();
    }
  }));
