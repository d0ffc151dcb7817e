import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database, Statement } from '../database/database.js';
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

test('instances whose steps begin together are read together, by their index', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await owner.rows({ text: manyProcesses });
    await owner.rows({ text: 'ANALYZE svc_processes' });
    const asked: Statement[] = [];
    const database: Pick<Database, 'rows'> = {
      rows: (statement) => {
        asked.push(statement);
        return owner.rows(statement);
      },
    };
    const { process } = postgresReactionStore(database);
    const numbers = Array.from({ length: 100 }, (_, n) => n * 200 + 1);
    const found = await Promise.all(numbers.map((n) => process('fulfilment', `o-${n}`)));
    const revisions = numbers.map((n) => (n <= 19_000 ? n : undefined));
    assert.equal(
      found.map((one) => one?.revision),
      revisions,
    );
    assert.is(asked.length, 2);
    assert.is(await process('other', 'o-1'), undefined);
    for (const { text, values = [] } of asked) {
      const plan = String(await owner.rows({ text: `EXPLAIN ${text}`, values }));
      assert.match(plan, /Index Scan using svc_processes_pkey/);
      assert.not.match(plan, /Seq Scan/);
    }
  }));

const manyProcesses = `INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
  SELECT 'fulfilment', 'o-' || n, n, 1, 'charging', 'running', '{}', '[]', clock_timestamp(), clock_timestamp()
    FROM generate_series(1, 19000) n`;

const manyTimers = `INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
  SELECT gen_random_uuid(), n % 8, clock_timestamp() + n * interval '1 second', 'command', 'reminder', n::text,
    clock_timestamp(), 0, n % 10 = 0, '{}', '{}' FROM generate_series(1, 20000) n`;
