import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { svc } from '../testing/spawned-host.js';
import { startHost } from './host.js';

const test = suite('the threads of a rebuild');

/** Its perspective records which thread folded. */
const shop = `import { isMainThread } from 'node:worker_threads';
import { Event } from '${new URL('../../index.js', import.meta.url).href}';
class Sold extends Event {}
const sales = {
  name: 'sales',
  events: [Sold],
  initial: () => ({ count: 0 }),
  apply: ({ count }) => ({ count: count + 1, by: isMainThread ? 'host' : 'thread' }),
};
export default { name: 'shop', create: () => ({ endpoints: [], receptors: [], perspectives: [sales] }) };`;

const sold = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Sold',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

const models = async (url: string): Promise<readonly string[]> =>
  (await query(url, "SELECT DISTINCT model->>'count', model->>'by' FROM svc_per_sales")).map((row) =>
    row.join(' by '),
  );

test('with SVC_REBUILD_THREADS a host and svc rebuild in threads', () =>
  withStore((url) =>
    withFolder(async (folder) => {
      const file = join(folder, 'shop.mjs');
      await writeFile(file, shop);
      const env = { DATABASE_URL: url, SVC_PORT: '0', SVC_REBUILD_THREADS: '2' };
      const host = await startHost(await loadService(file), readConfig(env));
      try {
        const { service } = host;
        for (const stream of Array.from({ length: 8 }, newUuid)) {
          const { globalPositions } = await service.eventStore.append(stream, sold());
          await service.caughtUp('sales', globalPositions.at(-1) ?? 0, AbortSignal.timeout(300_000));
        }
        assert.equal(await models(url), ['1 by host']);
        await service.rebuild('sales', { mode: RebuildMode.BlueGreen });
        assert.equal(await models(url), ['1 by thread']);
      } finally {
        await host.stop();
      }
      const rebuild = ['perspectives', 'rebuild', 'sales', '--mode', 'BlueGreen', '--app', file];
      const alone = await svc(rebuild, { ...env, SVC_REBUILD_THREADS: '1' });
      assert.is(alone.code, 0, alone.stderr);
      assert.equal(await models(url), ['1 by host']);
      const threads = await svc(rebuild, env);
      assert.is(threads.code, 0, threads.stderr);
      assert.equal(await models(url), ['1 by thread']);
    }),
  ));
