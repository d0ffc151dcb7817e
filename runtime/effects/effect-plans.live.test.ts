import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database, Statement } from '../database/database.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import { hostOf, waiting } from '../testing/effect-host.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { type Plan, plansOf, scansOf } from '../testing/plans-of.js';
import { listEffects, longestLanes, readEffectBacklog } from './effect-lists.js';

const test = suite('plans of effects');

const analyzed = 'VACUUM ANALYZE svc_timers';

test('what is parked is found by the index of its kind', () =>
  withMigratedDatabase(async (migrated) => {
    const { database } = await hostOf(migrated);
    for (const text of [waiting('n|sms|big', 5_000), reminders, analyzed]) await database.rows({ text });
    for (const [index, text] of [
      ['svc_effects_parked', 'SELECT svc_release_effects(ARRAY[0], ARRAY[$$sms$$], $$2$$)'],
      ['svc_effects_parked', 'SELECT id FROM svc_stuck'],
      ['svc_timers_parked', 'SELECT id FROM svc_stuck'],
    ] as const) {
      const scans = scansOf(await plansOf(migrated.url, text), 'svc_timers');
      assert.ok(scans.map(indexOf).includes(index), JSON.stringify(scans));
      assert.not(scans.some((plan) => plan['Node Type'] === 'Seq Scan'));
    }
  }));

test('the plan of a claim neither sorts what waits, nor collects it', () =>
  withMigratedDatabase(async (migrated) => {
    const { owner, database } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 5_000) });
    await database.rows({ text: waiting(`1|sms|' || n % 200 || '`, 600) });
    await database.rows({ text: analyzed });
    const plans = await plansOf(migrated.url, claimText(owner));
    const scans = scansOf(plans, 'svc_timers');
    assert.ok(scans.map(indexOf).includes('svc_effects_due'));
    assert.ok(scans.map(indexOf).includes('svc_effects_order'));
    assert.equal(
      scans.filter((plan) => !plan['Node Type'].startsWith('Index')),
      [],
    );
    assert.equal(plans.flatMap(sortedScans), []);
  }));

test('a claim beside a lane of 20,000 reads hardly more than one beside none', () =>
  withMigratedDatabase(async (migrated) => {
    const { owner, database } = await hostOf(migrated);
    const quiet = waiting(`n|sms|' || n % 200 || '`, 600);
    const pages = async (): Promise<number> => {
      const text = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${claimText(owner)}`;
      const [[plan] = []] = await database.rows({ text });
      return (
        JSON.parse(plan ?? '') as readonly [{ readonly Plan: { readonly 'Shared Hit Blocks': number } }]
      )[0].Plan['Shared Hit Blocks'];
    };
    for (const text of [quiet, analyzed]) await database.rows({ text });
    await pages();
    const alone = await pages();
    for (const text of ['DELETE FROM svc_timers', waiting('n|sms|big', 20_000), quiet, analyzed])
      await database.rows({ text });
    await pages();
    const beside = await pages();
    assert.ok(beside < alone * 1.5 + 100, `${beside} pages beside it, ${alone} without it`);
  }));

test('a claim looks up by name and lane whether a lane is paused', () =>
  withMigratedDatabase(async (migrated) => {
    const { owner, database } = await hostOf(migrated);
    await database.rows({
      text: `INSERT INTO svc_paused SELECT 'sms', 'tenant-' || n FROM generate_series(1, 5000) n`,
    });
    await database.rows({ text: 'VACUUM ANALYZE svc_paused' });
    const [scan, ...others] = scansOf(await plansOf(migrated.url, claimText(owner)), 'svc_paused');
    assert.equal(others, []);
    assert.match(scan?.['Index Cond'] ?? '', /name = .+ AND .*lane = ANY/);
  }));

test('a beat looks each claim up by its id', () =>
  withMigratedDatabase(async (migrated) => {
    const { owner, database } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 5_000) });
    await database.rows({ text: analyzed });
    const plans = await plansOf(
      migrated.url,
      `SELECT count(*) FROM svc_beat_effects($1, ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 500)),
        array_fill(NULL::timestamptz, '{500}'), 60000, NULL)`,
      [owner],
    );
    const scans = scansOf(plans, 'svc_timers');
    assert.is(scans.length, 3);
    for (const scan of scans) assert.match(scan['Index Cond'] ?? scan['Recheck Cond'] ?? '', /^\(id = /);
    assert.not.match(JSON.stringify(plans), 'array_position');
  }));

test('claims are prolonged 500 at a time, as a commit may wait for one of them', () =>
  withMigratedDatabase(async (migrated) => {
    const { effects, database, owner } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 1_200) });
    const rows = await database.rows({
      text: `UPDATE svc_timers SET claimed_by = $1, due_at = clock_timestamp() RETURNING id`,
      values: [owner],
    });
    const claims = rows.map(([id]) => ({ id: id ?? '', dueAt: undefined }));
    assert.is((await effects.beat(claims, 60_000)).size, 1_200);
    const transactions = 'SELECT count(*) FROM svc_timers GROUP BY xmin::text::int ORDER BY 1 DESC';
    assert.equal((await database.rows({ text: transactions })).flat(), ['500', '500', '200']);
  }));

test('between two chunks of what it releases, a host leaves the log to commands', () =>
  withMigratedDatabase(async (migrated) => {
    const { database } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 120) });
    await database.rows({
      text: `UPDATE svc_timers SET parked = true, error = 'request-version: old', context = '{"lane": "n|sms|big", "parkedBy": "0"}'`,
    });
    const chunks: { readonly began: number; readonly ended: number }[] = [];
    const { effects } = await hostOf({
      ...migrated,
      connect: (options) => timed(migrated.connect(options), chunks),
    });
    chunks.length = 0;
    await effects.release([0], ['sms']);
    assert.is(chunks.length, 4);
    for (const [n, { began, ended }] of chunks.slice(0, -1).entries())
      assert.ok((chunks[n + 1]?.began ?? 0) - ended >= 8 * (ended - began), JSON.stringify(chunks));
    assert.equal(await database.rows({ text: 'SELECT count(*) FROM svc_timers WHERE parked' }), [['0']]);
  }));

test('effects have no entries in the index that finds timers by key', () =>
  withMigratedDatabase(async (migrated) => {
    const { database } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 5_000) });
    await database.rows({ text: analyzed });
    assert.equal(await database.rows({ text: `SELECT pg_relation_size('svc_timers_of')` }), [['8192']]);
    const [statement] = await statementsOf((rows) =>
      postgresReactionStore({ rows }).timersOf('process', 'a', 'b'),
    );
    const plans = await plansOf(migrated.url, statement?.text ?? '', statement?.values);
    assert.equal(scansOf(plans, 'svc_timers').map(indexOf), ['svc_timers_of']);
  }));

test('lists and counts of requests that wait read indexes, not what the requests hold', () =>
  withMigratedDatabase(async (migrated) => {
    const { database } = await hostOf(migrated);
    await database.rows({ text: waiting('n|sms|big', 10_000) });
    await database.rows({ text: `UPDATE svc_timers SET data = json_build_object('body', repeat('x', 900))` });
    await database.rows({ text: analyzed });
    for (const ask of [
      (asked: Asked) => listEffects(asked, {}, 200),
      (asked: Asked) => listEffects(asked, { name: 'sms' }, 200),
      (asked: Asked) => longestLanes(asked),
      (asked: Asked) => readEffectBacklog(asked),
    ]) {
      const [statement] = await statementsOf((rows) => ask({ rows }));
      const plans = await plansOf(migrated.url, statement?.text ?? '', statement?.values);
      const scans = scansOf(plans, 'svc_timers').map((plan) => `${plan['Node Type']} ${indexOf(plan)}`);
      assert.ok(scans.includes('Index Only Scan svc_effects_due'), scans.join());
      assert.not(
        scans.some((scan) => scan.startsWith('Seq')),
        scans.join(),
      );
    }
    assert.is((await listEffects(database, { name: 'sms' }, 200)).length, 200);
    assert.equal(await listEffects(database, { name: 'mail' }, 200), []);
  }));

const reminders = `INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
  SELECT gen_random_uuid(), 0, now(), 'command', 'reminder', n::text, now(), 0, false, '{}', '{}' FROM generate_series(1, 5000) n`;

type Asked = Pick<Database, 'rows'>;

const claimText = (owner: string): string =>
  `SELECT * FROM svc_claim_effects('${owner}', '{0}', 128, '{sms}', '{""}', '{64}', '{8}', '{}', true, 60000)`;

const indexOf = (plan: Plan): string => plan['Index Name'] ?? '';

/** What is read of due work below a node that sorts all of it. */
function sortedScans(plan: Plan): readonly Plan[] {
  const below = plan.Plans ?? [];
  if (/Sort/.test(plan['Node Type'])) return unlimited(below);
  return below.flatMap(sortedScans);
}

const unlimited = (plans: readonly Plan[]): readonly Plan[] =>
  plans
    .filter((plan) => plan['Node Type'] !== 'Limit')
    .flatMap((plan) => [...scansOf([{ ...plan, Plans: [] }], 'svc_timers'), ...unlimited(plan.Plans ?? [])]);

/** The statements that something asks, which gets no rows. */
async function statementsOf(
  ask: (rows: Database['rows']) => Promise<unknown>,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  await ask((statement) => {
    statements.push(statement);
    return Promise.resolve([]);
  });
  return statements;
}

const timed = (
  database: Database,
  calls: { readonly began: number; readonly ended: number }[],
): Database => ({
  ...database,
  rows: async (statement) => {
    const began = performance.now();
    const rows = await database.rows(statement);
    calls.push({ began, ended: performance.now() });
    return rows;
  },
});
