import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { bookId, borrow, loans, developing, edit, timesListening } from '../testing/developed-service.js';

const test = suite('svc dev');

const versionOf = async (url: string): Promise<unknown> => {
  const contract = await fetch(`${url}/openapi.json`, { headers: { connection: 'close' } });
  return ((await contract.json()) as { readonly info: { readonly version: unknown } }).info.version;
};

test('a change of sources or of the version is served as soon as it compiles, what is stored stays, and Ctrl-C ends everything', () =>
  developing(
    (dir) => ({ SVC_DATA_DIR: join(dir, '.svc') }),
    async (host, dir) => {
      const dataDir = join(dir, '.svc');
      try {
        assert.is((await borrow(host.url, bookId)).status, 200);
        await edit(dir, 'borrow-book.ts', 'status: 409', 'status: 423');
        await until(() => timesListening(host) >= 2);
        // The host before it may still accept for a moment.
        await until(async () => (await borrow(host.url, bookId)).status === 423);
        assert.match(await loans(host.url), bookId);
        await edit(dir, '../package.json', '"version": "0.1.0"', '"version": "0.2.0"');
        await until(() => timesListening(host) >= 3);
        await until(async () => (await versionOf(host.url)) === '0.2.0');
        const postmaster = join(dataDir, 'postgres/cluster/postmaster.pid');
        assert.ok(existsSync(postmaster));
        assert.equal(await host.kill('SIGINT'), { code: 0, signal: null });
        assert.not.ok(existsSync(postmaster));
        assert.is(await loans(host.url).catch(() => 'no answer'), 'no answer');
      } finally {
        await removeHome(dataDir);
      }
    },
  ));

test('what is built is named before anything is loaded; a folder without a service is refused with the command that creates one, also while the port is in use', () =>
  withFolder(async (folder) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await svcInProcess(['dev', folder], { SVC_PORT: String(port) });
    other.close();
    assert.is(code, 1);
    const [first, ...others] = stderr.split('\n');
    assert.is(first, `svc: building ${basename(folder)} …`);
    assert.match(others.join('\n'), / has no package\.json; create a service with svc new <dir>\.\n$/);
  }));
