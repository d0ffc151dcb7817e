import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { workListsContract } from '../testing/unit-lists-contract.js';
import { dueAndNextText, postgresReactionStore } from './postgres-reaction-store.js';

const contract = suite('postgres lists of units');
workListsContract(contract, (body) =>
  withMigratedDatabase((database) =>
    body({ store: database.openStore(), reactions: postgresReactionStore(database.connect()) }),
  ),
);

const test = suite('postgres reaction store');

test('the question for due timers is an index condition', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    await owner.rows({ text: manyTimers });
    await owner.rows({ text: 'ANALYZE svc_timers' });
    const text = `EXPLAIN (FORMAT JSON) ${dueAndNextText.replaceAll('$1', `'{3,5}'`).replaceAll('$2', '512').replace('$3', `'{}'`)}`;
    const [[plan] = []] = await owner.rows({ text });
    const conditions = [...(plan ?? '').matchAll(/"Index Cond": "([^"]*)"/g)].map(
      ([, condition]) => condition ?? '',
    );
    assert.is(conditions.length, 2);
    for (const condition of conditions) assert.match(condition, /part = p(?:_1)?\.p/);
    for (const bound of ['due_at <= statement_timestamp()', 'due_at > statement_timestamp()'])
      assert.is(conditions.filter((condition) => condition.includes(bound)).length, 1, bound);
    assert.not.match(plan ?? '', /"Filter"/);
  }));

const manyTimers = `INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
  SELECT gen_random_uuid(), n % 8, clock_timestamp() + n * interval '1 second', 'command', 'reminder', n::text,
    clock_timestamp(), 0, n % 10 = 0, '{}', '{}' FROM generate_series(1, 20000) n`;
