import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { hostOf } from '../testing/effect-host.js';
import { claimAll, request } from '../testing/effect-store-contract.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { sets } from '../testing/unit-lists/units.js';

const test = suite('rows of effects');

test('a request that replaces another one has nothing of its row but the place in its lane', () =>
  withMigratedDatabase(async (migrated) => {
    const store = migrated.openStore();
    const { effects, database } = await hostOf(migrated);
    const asked = request();
    await store.commit(sets(asked));
    const [first] = await claimAll({ effects });
    assert.ok(first);
    await effects.tryAgain(first, { inMs: 0, error: 'busy', attempts: 1 });
    const [second] = await claimAll({ effects });
    assert.ok(second);
    const kept = await effects.beat([second], 60_000, { part: 1 });
    await store.commit(sets(asked));
    const text = 'SELECT claimed_by, claims, progress, tries, attempts, error FROM svc_timers';
    assert.equal(await database.rows({ text }), [[null, '0', null, '[]', '0', null]]);
    const held = { id: second.id, dueAt: kept.get(second.id) };
    assert.is(await effects.tryAgain(held, { inMs: 0, error: 'late', attempts: 2 }), false);
    assert.equal([...(await effects.beat([{ id: second.id, dueAt: undefined }], 60_000))], []);
  }));

test('a request in flight is not made due, one whose claim is over or that was replaced is', () =>
  withMigratedDatabase(async (migrated) => {
    const store = migrated.openStore();
    const { effects, database } = await hostOf(migrated);
    const asked = request();
    await store.commit(sets(asked));
    const run = () =>
      database.rows({ text: 'SELECT count(*) FROM svc_run_timers(ARRAY(SELECT id FROM svc_timers))' });
    assert.is((await claimAll({ effects })).length, 1);
    assert.equal(await run(), [['0']]);
    assert.equal(await claimAll({ effects }), []);
    await database.rows({ text: 'UPDATE svc_timers SET due_at = clock_timestamp()' });
    assert.equal(await run(), [['1']]);
    assert.is((await claimAll({ effects })).length, 1);
    await store.commit(sets({ ...asked, due: { inMs: 3_600_000 } }));
    assert.equal(await run(), [['1']]);
    assert.is((await claimAll({ effects })).length, 1);
  }));
