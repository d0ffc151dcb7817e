import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startEmbeddedServer } from './embedded-server.js';
import { removeHome } from './embedded/server-home.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { openDatabase } from './database.js';
import { unsafeSettings, writableSchema } from './check-server-settings.js';

const test = suite('unsafe settings');

test('a server that may lose commits in a power failure is reported, a durable one is not', async () => {
  const dataDir = await temporaryFolder();
  try {
    assert.match(await lineWith(dataDir, { fsync: 'off' }), /^the server runs with fsync off: .*set to on$/);
    assert.is(await lineWith(dataDir, {}), 'none');
  } finally {
    await removeHome(dataDir);
  }
});

test('a schema in which every login may create functions is reported', () =>
  withMigratedDatabase(async ({ connect }) => {
    const [owner, runtime] = [connect({ owner: true }), connect()];
    assert.is(await writableSchema(runtime), undefined);
    await owner.rows({ text: 'GRANT CREATE ON SCHEMA public TO PUBLIC' });
    assert.match(
      (await writableSchema(runtime)) ?? '',
      /schema public, .*run REVOKE CREATE ON SCHEMA public FROM PUBLIC$/,
    );
    await owner.rows({ text: 'REVOKE CREATE ON SCHEMA public FROM PUBLIC' });
    assert.is(await writableSchema(runtime), undefined);
  }));

async function lineWith(dataDir: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const server = await startEmbeddedServer({ dataDir, settings });
  const database = openDatabase({ url: server.url });
  const line = await unsafeSettings(database);
  await database.close();
  await server.stop();
  return line ?? 'none';
}
