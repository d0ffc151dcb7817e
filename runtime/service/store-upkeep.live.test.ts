import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { StoreWitness } from '../store/store-witness.js';
import { openPostgresStore } from '../store/postgres-event-store.js';
import { execute, withCopyOf } from '../kit/database.js';
import { withMigratedDatabase, withStore } from '../testing/migrated-database.js';
import { rowsOf } from '../testing/rows-of.js';
import { testRecorder, useSegmentsOf } from '../testing/small-segments.js';
import { thrownBy } from '../testing/thrown-by.js';
import { until } from '../kit/until.js';
import { postgresEventStore } from './add-postgres-event-store.js';
import { addService } from './service.js';
import { startUpkeep } from './store-upkeep.js';

const test = suite('upkeep of a store without a host');

const happened = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

const recorded = (url: string, type: string) =>
  rowsOf(url, `SELECT data FROM svc_system_stream WHERE event_type = '${type}'`);

test('seals segments that are full, and records a loss', () =>
  withMigratedDatabase(async ({ url, connect }) => {
    await useSegmentsOf(url, 10);
    const database = connect();
    const witness = new StoreWitness({ host: 'test', acceptsLoss: true });
    await witness.start(database);
    const store = openPostgresStore(database, { host: 'test', witness });
    const upkeep = startUpkeep({ database, witness }, () => testRecorder, { historyMs: 20, segmentsMs: 20 });
    try {
      for (let n = 0; n < 12; n++) await store.append(newUuid(), happened());
      await until(async () => (await recorded(url, 'SegmentSealed')).length > 0);
      await store.append(newUuid(), happened());
      await execute(url, goBackText);
      await witness.connected(database);
      await until(async () => (await recorded(url, 'StoreWentBack')).length > 0);
    } finally {
      await upkeep.stop();
      await store.close();
    }
  }));

test('a service that was put together in code refuses a copy, and notices a loss on its next connection', () =>
  withStore(async (url) => {
    await withCopyOf(url, async (copy) => {
      const atCopy = addService().with(postgresEventStore({ url: copy }));
      const refusal = await thrownBy(() => atCopy.eventStore.append(newUuid(), happened()));
      assert.match(refusal.detail ?? '', 'This database is a copy of the store');
      await atCopy.stop();
    });
    const service = addService().with(postgresEventStore({ url }, 'north'));
    try {
      await service.eventStore.append(newUuid(), happened());
      await execute(url, goBackText);
      await execute(url, endOthersText);
      await until(async () => {
        await service.eventStore.lastPosition(newUuid()).catch(() => undefined);
        return (await rowsOf(url, lossesText)).length > 0;
      });
      assert.equal(await rowsOf(url, lossesText), [['2', '0', '1', 'north']]);
    } finally {
      await service.stop();
    }
  }));

const lossesText = 'SELECT epoch, fork, lost_to, witness FROM svc_epochs WHERE lost_to IS NOT NULL';
const goBackText = `SET session_replication_role = replica;
  DELETE FROM svc_events WHERE global_position = (SELECT max(global_position) FROM svc_events)`;
const endOthersText = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;
