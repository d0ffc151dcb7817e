import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { openDatabase } from '../database/database.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { withPostgresPair } from '../testing/postgres-pair.js';
import { until } from '../kit/until.js';
import { postgresInbox } from './postgres-inbox.js';
import { eventOf } from './received-rows.js';

const test = suite('inbox with a synchronous standby');

test('a received event is not reported as stored, and so not acknowledged, before the standby has it', () =>
  withPostgresPair(async (pair) => {
    const database = openDatabase({ url: pair.url, role: runtimeRole });
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(60_000);
    const event = eventOf(new ForeignStore().event(newUuid()));
    const keep = () =>
      inbox.storeEvents([event], 60_000).then(
        () => 'kept',
        () => 'failed',
      );
    await pair.stopStandby();
    for (let times = 1; times <= 2; times++) {
      const kept = keep();
      await until(async () => (await pair.waiting()).length > 0);
      await pair.admin('SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = $1', [
        'SyncRep',
      ]);
      assert.is(await kept, 'failed', times === 1 ? 'the first time' : 'as a duplicate');
    }
    await pair.startStandby();
    assert.is(await keep(), 'kept');
    await database.close();
  }));
