import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openOwner } from '../database/schema-owner.js';
import { until } from '../kit/until.js';
import { startTemporary } from '../kit/postgres-server.js';
import { migrate } from '../migrations/migrate.js';
import { awaitStandby } from '../testing/awaited-standby.js';
import { fileOf, importText, lineOf } from '../testing/imported-events.js';
import { rowsOf } from '../testing/rows-of.js';

const test = suite('imported events that are published');

const inCommit = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;

test('the relay sees none before the disk, and a standby that commits wait for, have it', async () => {
  const server = await startTemporary();
  const owner = openOwner(server.url, 'svc-import');
  try {
    await migrate({ ownerUrl: server.url });
    await awaitStandby(server.url, 'missing');
    const importing = importText(owner, fileOf([lineOf()]), { publish: true });
    await until(async () => (await rowsOf(server.url, inCommit)).length > 0);
    assert.equal(await rowsOf(server.url, 'SELECT count(*) FROM svc_events'), [['0']]);
    await awaitStandby(server.url, '');
    assert.equal(await importing, { imported: 1, present: 0 });
  } finally {
    await owner.close();
    await server.stop();
  }
});
