import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf } from '../../endpoints/testing/http-client.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { fastUnsafeSettings } from '../../runtime/kit/postgres-server.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { createOrder } from '../testing/order-load.js';
import { probe, untilReady, withHost } from '../testing/probed-host.js';

const test = suite('a full disk');

const isRoot = process.getuid?.() === 0;

/** A file system of its own, which may be filled. */
const withSmallDisk = (size: string, body: (folder: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const asRoot = async (program: string, ...args: readonly string[]): Promise<void> => {
      const [command, ...rest] = isRoot ? [program, ...args] : ['sudo', '-n', program, ...args];
      await promisify(execFile)(command, rest).catch((cause: unknown) => {
        throw new Problem('invalid-setup', {
          detail: `This test needs a small file system: sudo ${program} ${args.join(' ')}`,
          cause,
        });
      });
    };
    const owner = `uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0}`;
    await asRoot('mount', '-t', 'tmpfs', '-o', `size=${size},mode=755,${owner}`, 'tmpfs', folder);
    try {
      await body(folder);
    } finally {
      await asRoot('umount', '-l', folder);
    }
  });

test('a host whose database has no space is not ready and says so, and is ready again when there is some', () =>
  withSmallDisk('120m', async (folder) => {
    const settings = { ...fastUnsafeSettings, max_wal_size: '32MB', min_wal_size: '32MB' };
    const server = await startEmbeddedServer({ dataDir: folder, settings });
    try {
      await withHost(
        server.url,
        async (host) => {
          assert.is((await createOrder(host.url)).status, 200);
          await fill(join(folder, 'filler'));
          const refusal = async () => jsonOf(await createOrder(host.url)) as { readonly detail?: string };
          await until(async () => ((await refusal()).detail ?? '').includes('disk'));
          await untilReady(host.url, ({ code }) => code === 503);
          const { checks } = await probe(host.url);
          const found = checks.find(({ name }) => name === 'svc_relational_db');
          assert.equal([found?.status, found?.detail], ['Unhealthy', fullText]);
          await rm(join(folder, 'filler'));
          await untilReady(host.url, ({ code }) => code === 200);
          assert.is((await createOrder(host.url)).status, 200);
        },
        {},
        ordersAlone,
      );
    } finally {
      await server.stop();
      await removeHome(folder).catch(() => undefined);
    }
  }));

const fullText = 'The disk of the database is full; nothing can be stored until it has space.';

/** Writes until nothing more can be written. */
async function fill(path: string): Promise<void> {
  for (const size of [2 ** 20, 2 ** 12])
    for (;;) {
      const isFull = await writeFile(path, Buffer.alloc(size), { flag: 'a' }).then(
        () => false,
        () => true,
      );
      if (isFull) break;
    }
}
