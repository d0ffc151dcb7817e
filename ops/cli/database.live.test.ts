import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { exists } from '../../runtime/database/embedded/operating-system.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { temporaryFolder } from '../../runtime/kit/temporary-folder.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withDatabaseOf } from './database.js';
import { type Config, readConfig } from '../config/config.js';

const test = suite('the database of a command');

const userOf = (config: Config): Promise<string | null | undefined> =>
  withDatabaseOf(config, async (database) => {
    const [row] = await database.rows({ text: 'SELECT current_user FROM svc_store' });
    return row?.[0];
  });

const refusalOf = (config: Config): Promise<string> =>
  userOf(config).then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );

test('DATABASE_URL is used as the runtime role', () =>
  withStore(async (url) => {
    assert.is(await userOf(readConfig({ DATABASE_URL: url })), 'svc_runtime');
  }));

test('an error of the body reaches the caller', () =>
  withStore(async (url) => {
    const failing = withDatabaseOf(readConfig({ DATABASE_URL: url }), () =>
      Promise.reject(new RangeError('no')),
    );
    assert.instance(await failing.catch((error: unknown) => error), RangeError);
  }));

test('a database without a store is reported, and no store is created', () =>
  withDatabase(async (url) => {
    const config = readConfig({ DATABASE_URL: url });
    assert.match(await refusalOf(config), /^There is no store in this database; .*svc migrate/);
    assert.match(await refusalOf(config), /^There is no store in this database;/);
  }));

test('a data folder that does not exist is reported, and not created', async () => {
  const dataDir = await temporaryFolder();
  const missing = join(dataDir, 'missing');
  try {
    assert.match(await refusalOf(readConfig({ SVC_DATA_DIR: missing })), `There is no store in ${missing};`);
    assert.not(await exists(missing));
  } finally {
    await removeHome(dataDir);
  }
});

test('the embedded server of the data folder is shared with a running host, or started and stopped', async () => {
  const dataDir = await temporaryFolder();
  const config = readConfig({ SVC_DATA_DIR: dataDir });
  try {
    const server = await startEmbeddedServer({ dataDir });
    await migrate({ ownerUrl: server.url });
    assert.is(await userOf(config), 'svc_runtime');
    await server.stop();
    assert.is(await userOf(config), 'svc_runtime');
  } finally {
    await removeHome(dataDir);
  }
});
