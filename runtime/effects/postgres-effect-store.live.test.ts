import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { hostOf, leaseAll, waiting } from '../testing/effect-host.js';
import { claimAll, effectStoreContract, request } from '../testing/effect-store-contract.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { sets } from '../testing/unit-lists/units.js';
import { postgresEffectStore } from './postgres-effect-store.js';

effectStoreContract(suite('postgres effects'), (body) =>
  withMigratedDatabase(async (migrated) => {
    const { effects } = await hostOf(migrated);
    await body({ store: migrated.openStore(), effects });
  }),
);

const test = suite('claims of effects');

test('only who has the lease of its partition claims a request', () =>
  withMigratedDatabase(async (migrated) => {
    const store = migrated.openStore();
    const { effects, database } = await hostOf(migrated);
    await store.commit(sets(request()));
    await leaseAll(database, newUuid());
    assert.equal(await claimAll({ effects }), []);
  }));

test('what is paused is not claimed: an effect, or a lane as operators see it', () =>
  withMigratedDatabase(async (migrated) => {
    const store = migrated.openStore();
    const { effects, database } = await hostOf(migrated);
    for (const tenant of ['a', 'b']) await store.commit(sets(request(tenant)));
    await database.rows({ text: `INSERT INTO svc_paused(name, lane) VALUES ('sms', 'a')` });
    assert.equal(
      (await claimAll({ effects })).map(({ lane }) => lane),
      ['n|sms|b'],
    );
    await database.rows({ text: `UPDATE svc_paused SET lane = '*'` });
    await store.commit(sets(request('c')));
    assert.equal(await claimAll({ effects }), []);
  }));

test('a claim that is over is claimed again, and counted', () =>
  withMigratedDatabase(async (migrated) => {
    const store = migrated.openStore();
    const { effects, database } = await hostOf(migrated);
    await store.commit(sets(request()));
    const [first] = await claimAll({ effects });
    assert.ok(first);
    for (const claims of [2, 3]) {
      await database.rows({ text: 'UPDATE svc_timers SET due_at = clock_timestamp()' });
      const [again] = await claimAll({ effects });
      assert.equal([again?.claims, again?.attempts], [claims, 0]);
      assert.equal([...(await effects.beat([first], 1_000))], []);
    }
  }));

test('a request that replaces another one knows nothing of its attempts', () =>
  withMigratedDatabase(async (migrated) => {
    const store = migrated.openStore();
    const { effects } = await hostOf(migrated);
    const asked = request();
    await store.commit(sets(asked));
    const [first] = await claimAll({ effects });
    assert.ok(first);
    await effects.beat([first], 1_000, { part: 1 });
    await store.commit(sets(asked));
    const [second] = await claimAll({ effects });
    assert.equal([second?.claims, second?.attempts, second?.progress], [1, 0, undefined]);
  }));

test('a copy of a store leaves the requests of its original to the original, until an operator releases them', () =>
  withMigratedDatabase(async (migrated) => {
    const store = migrated.openStore();
    const { effects, database, owner } = await hostOf(migrated);
    for (const tenant of ['a', 'b']) await store.commit(sets(request(tenant)));
    assert.is((await claimAll({ effects }, { each: 1, room: 1 })).length, 1);
    await database.rows({ text: 'SELECT svc_adopt_store(false)' });
    await leaseAll(database, owner);
    assert.equal(await claimAll({ effects }), []);
    const parked = "SELECT count(*) FROM svc_timers WHERE parked AND starts_with(error, 'effect-left: ')";
    assert.equal(await database.rows({ text: parked }), [['2']]);
    await database.rows({ text: 'SELECT svc_run_timers(ARRAY(SELECT id FROM svc_timers))' });
    assert.is((await claimAll({ effects })).length, 2);
  }));

test('a claim reads by index, however much waits in one lane', () =>
  withMigratedDatabase(async (migrated) => {
    const { effects, owner, database } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 30_000) });
    await database.rows({ text: waiting(`1|sms|' || n % 3 || '`, 9_000) });
    await database.rows({ text: waiting(`n|sms|small-' || n || '`, 300) });
    await database.rows({ text: 'ANALYZE svc_timers' });
    const claimed = await claimAll({ effects }, { room: 128, each: 8 });
    assert.is(claimed.length, 128);
    assert.ok(claimed.filter(({ lane }) => lane === 'n|sms|big').length <= 64);
    const before = await buffersRead(database);
    await claimAll(
      { effects: postgresEffectStore(database, { owner, name: 'one', version: '1' }) },
      { room: 8, each: 1 },
    );
    const read = (await buffersRead(database)) - before;
    assert.ok(read < 6_000, `${read} rows were read`);
  }));

test('of a lane with 20,000 due requests beside 200 with three, these are all claimed in a few looks', () =>
  withMigratedDatabase(async (migrated) => {
    const { effects, database } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 20_000) });
    await database.rows({ text: waiting(`n|sms|small-' || n % 200 || '`, 600) });
    await database.rows({ text: 'ANALYZE svc_timers' });
    const claimed: string[] = [];
    let hand = '';
    for (let look = 0; look < 10; look++) {
      const names = [{ name: 'sms', room: 128, each: 8, hand }];
      const answer = await effects.claim({
        parts: [0],
        names,
        reach: 128,
        lanes: new Map(),
        suspect: true,
        forMs: 60_000,
      });
      claimed.push(...answer.effects.map(({ lane }) => lane));
      hand = answer.hands.get('sms') ?? '';
    }
    assert.is(claimed.filter((lane) => lane !== 'n|sms|big').length, 600);
    assert.ok(claimed.filter((lane) => lane === 'n|sms|big').length <= 80);
  }));

test('the statement that locks what it claims sends ids alone', () =>
  withMigratedDatabase(async (migrated) => {
    const { owner, database } = await hostOf(migrated);
    const store = migrated.openStore();
    const body = 'x'.repeat(60_000);
    const asked = Array.from({ length: 20 }, () =>
      request('acme', false, { data: { type: 'SendSms', body } }),
    );
    for (const one of asked) await store.commit(sets(one));
    const sent: number[] = [];
    const measured: Pick<Database, 'rows'> = {
      rows: async (statement) => {
        const rows = await database.rows(statement);
        sent.push(JSON.stringify(rows).length);
        return rows;
      },
    };
    const effects = postgresEffectStore(measured, { owner, name: 'one', version: '1' });
    const claimed = await claimAll({ effects });
    assert.equal(claimed.map(({ id }) => id).sort(), asked.map(({ id }) => id).sort());
    assert.ok((sent[0] ?? Infinity) < 2_000, String(sent[0]));
    assert.is(sent.length, 2);
  }));

/** Rows that the indexes of due work returned. */
async function buffersRead(database: Pick<Database, 'rows'>): Promise<number> {
  await database.rows({ text: 'SELECT pg_stat_force_next_flush()' });
  const [[read] = []] = await database.rows({
    text: `SELECT coalesce(sum(pg_stat_get_tuples_returned(indexrelid)), 0) + (SELECT seq_tup_read FROM pg_stat_all_tables WHERE relname = 'svc_timers')
      FROM pg_index WHERE indrelid = 'svc_timers'::regclass`,
  });
  return Number(read);
}
