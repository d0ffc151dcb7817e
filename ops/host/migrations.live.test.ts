import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { startHost } from './host.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('migrations of a host');

test('a start stores the five kinds of migration events in order, skipped items included', () =>
  withBakery(
    { '1-loaves.sql': 'CREATE TABLE IF NOT EXISTS loaves (id int)' },
    async ({ url, start }) => {
      await start();
      await start();
      const stored = await query(
        url,
        `SELECT event_type, data ->> 'streamId', data ->> 'migrationKey', data ->> 'status', data ->> 'duration'
        FROM svc_system_stream ORDER BY stream_position`,
      );
      const batches = [...new Set(stored.map(([, batch]) => batch))];
      assert.is(batches.length, 2);
      for (const [index, batch] of batches.entries()) {
        const events = stored.filter(([, id]) => id === batch);
        assert.is(events[0]?.[0], 'MigrationBatchStarted');
        assert.is(events.at(-1)?.[0], 'MigrationBatchCompleted');
        const items = events.slice(1, -1);
        items.forEach(([type, , key, status, duration], position) => {
          assert.is(type, position % 2 === 0 ? 'MigrationItemStarted' : 'MigrationItemCompleted');
          assert.is(key, items[position - (position % 2)]?.[2]);
          if (position % 2 === 0) return;
          assert.is(status, index === 0 ? '1' : '3');
          assert.match(duration ?? '', /^PT[\d.]+S$/);
        });
        assert.is(items.at(-1)?.[2], 'migrations/1-loaves.sql');
      }
    },
    withDatabase,
  ));

test('a host whose migration fails does not start, reports it on one line, and has recorded it in the system stream', () =>
  withBakery(
    { '1-broken.sql': 'CREATE TABLE loaves (id int);\nSELECT nothing FROM nowhere' },
    async ({ url, app }) => {
      for (const attempt of [1, 2]) {
        const { code, stderr } = await svc(['start', app], { DATABASE_URL: url });
        assert.is(code, 1);
        assert.is(
          stderr,
          'svc: Migration migrations/1-broken.sql failed: line 2:21: relation "nowhere" does not exist\n',
        );
        const failed = await query(
          url,
          `SELECT data ->> 'status', data ->> 'failureReason', data ->> 'error' FROM svc_system_stream WHERE event_type = 'MigrationItemFailed'`,
        );
        assert.equal(failed.at(-1), ['-1', '1', 'line 2:21: relation "nowhere" does not exist']);
        assert.is(failed.length, attempt);
        const ledger = await query(
          url,
          "SELECT status, attempts FROM svc_schema_migrations WHERE migration_key = 'migrations/1-broken.sql'",
        );
        assert.equal(ledger, [['-1', String(attempt)]]);
      }
    },
  ));

test('the version of package.json decides which of two applications is older', () =>
  withBakery({ 'v.sql': 'CREATE OR REPLACE VIEW menu AS SELECT 1 AS a' }, async ({ url, start }) => {
    await start();
    assert.equal(
      await query(
        url,
        "SELECT application_version FROM svc_schema_migrations WHERE migration_key = 'migrations/v.sql'",
      ),
      [['1.4.0']],
    );
  }));

test('a definition may name the folder of its migrations', () =>
  withFolder((folder) =>
    withStore(async (url) => {
      await writeFile(join(folder, 'a.sql'), 'CREATE TABLE named ()');
      for (const migrations of [folder, pathToFileURL(folder), pathToFileURL(folder).href]) {
        const definition: ServiceDefinition = { ...empty, migrations };
        await (await startHost(definition, configFor(url))).stop();
      }
      assert.equal(await query(url, 'SELECT * FROM named'), []);
      const missing = { ...empty, migrations: join(folder, 'gone') };
      const failure: unknown = await startHost(missing, configFor(url)).catch((error: unknown) => error);
      assert.match(String(failure), /There is no migrations folder .*gone/);
    }),
  ));

const empty: ServiceDefinition = { name: 'bakery', create: () => ({ endpoints: [], receptors: [] }) };

const configFor = (url: string) => readConfig({ SVC_PORT: '0', DATABASE_URL: url });

interface Bakery {
  readonly url: string;
  readonly app: string;
  readonly start: () => Promise<void>;
}

/** An application in its own folder, with these migrations. */
function withBakery(
  files: Readonly<Record<string, string>>,
  body: (bakery: Bakery) => Promise<void>,
  provide: typeof withStore = withStore,
) {
  return withFolder((app) =>
    provide(async (url) => {
      await mkdir(join(app, 'migrations'));
      await writeFile(join(app, 'package.json'), '{"version":"1.4.0","main":"main.mjs"}');
      const main = "export default { name: 'bakery', create: () => ({ endpoints: [], receptors: [] }) };";
      await writeFile(join(app, 'main.mjs'), main);
      for (const [name, sql] of Object.entries(files)) await writeFile(join(app, 'migrations', name), sql);
      const start = async () => {
        const host = await startHost(await loadService(app), configFor(url));
        await host.stop();
      };
      await body({ url, app, start });
    }),
  );
}
