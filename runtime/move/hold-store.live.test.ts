import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../kit/until.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('a store that is held');

const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'ShareRowExclusiveLock' AND database = svc_database_oid()`;

test('a follower that is writing ends first, and neither waits for the other', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    const [follower, mover] = [await owner.session(), await owner.session()];
    try {
      await follower.rows({ text: `BEGIN; UPDATE svc_progress SET position = 1 WHERE name = 'outbox'` });
      const held = mover.rows({ text: 'BEGIN; SELECT svc_hold_store()' });
      await until(async () => (await owner.rows({ text: waiting })).length > 0);
      for (const table of ['svc_leases', 'svc_stuck_work', 'svc_rewinds'])
        await follower.rows({ text: `DELETE FROM ${table}` });
      await follower.rows({ text: 'COMMIT' });
      await held;
      await mover.rows({ text: 'ROLLBACK' });
      assert.equal(await owner.rows({ text: 'SELECT count(*) FROM svc_leases' }), [['0']]);
    } finally {
      follower.release(true);
      mover.release(true);
    }
  }));
