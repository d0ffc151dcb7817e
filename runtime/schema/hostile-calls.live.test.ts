import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { verifyChain } from '../audit/verify-chain.js';
import type { Database } from '../database/database.js';
import { sqlStateOf } from '../database/sql-error.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import { type MigratedDatabase, withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('hostile calls by the role of the runtime');

const [stream, event, record] = [newUuid(), newUuid(), newUuid()];
const happened = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: '2026-03-01T09:30:00Z',
  v: 1 as const,
});

/** The arguments of a flush of one unit, with one event and its record. */
const flush = {
  p_writer: `'${newUuid()}'`,
  p_flush: '0',
  p_host: `'test'`,
  streams: `'{${stream}}'`,
  unit_pairs: `'{1}'`,
  unit_events: `'{1}'`,
  unit_records: `'{1}'`,
  unit_keys: `'{}'`,
  unit_prints: `'{}'`,
  unit_codes: `'{}'`,
  unit_bodies: `'{}'`,
  pair_streams: `'{1}'`,
  pair_positions: `'{0}'`,
  event_streams: `'{1}'`,
  event_ids: `'{${event}}'`,
  event_types: `'{Happened}'`,
  event_bodies: `ARRAY['{}'::json]`,
  event_metas: `ARRAY['{}'::json]`,
  event_times: `'{}'`,
  record_ids: `'{${record}}'`,
  record_types: `'{Recorded}'`,
  record_bodies: `ARRAY['{}']`,
  record_metas: `ARRAY['{}']`,
  record_published: `'{true}'`,
  record_about: `'{1}'`,
  p_lists: 'NULL',
};
type Flush = Readonly<Record<keyof typeof flush, string>>;

let flushes = 0;

const commit = (over: Partial<Flush>): string =>
  `CALL svc_commit_v1(${Object.entries({ ...flush, p_flush: String(++flushes), ...over })
    .map(([name, value]) => `${name} => ${value}`)
    .join(', ')})`;

/** What a call answers: the status of its unit, or the class of its error. */
const answerOf = (database: Database, text: string): Promise<string> =>
  database.rows({ text }).then(
    ([row]) => String(row?.[0]),
    (error: unknown) => `error ${sqlStateOf(error)?.slice(0, 2) ?? String(error)}`,
  );

/** Whatever was called, the log has no gap, its chain holds, and the next commit is stored. */
async function mustBeWhole({ connect, openStore }: MigratedDatabase): Promise<void> {
  await openStore().append(newUuid(), happened());
  const owner = connect({ owner: true });
  const text = `SELECT count(*) = max(p) AND count(*) = count(DISTINCT p) FROM (
    SELECT global_position p FROM svc_events UNION ALL SELECT global_position FROM svc_system_events) log`;
  assert.equal(await owner.rows({ text }), [['t']]);
  assert.ok((await verifyChain(owner)).ok);
}

const refused: readonly (readonly [what: string, over: Partial<Flush>])[] = [
  ['an event that no unit has', { unit_events: `'{0}'` }],
  ['fewer events than its unit has', { unit_events: `'{2}'` }],
  ['a record that no unit has', { unit_records: `'{0}'` }],
  ['fewer records than its unit has', { unit_records: `'{2}'` }],
  ['fewer than no records', { unit_pairs: `'{1,0}'`, unit_events: `'{1,0}'`, unit_records: `'{2,-1}'` }],
  ['an expected position that no unit has', { unit_pairs: `'{0}'` }],
  ['fewer expected positions than its unit has', { pair_positions: `'{}'`, pair_streams: `'{}'` }],
  ['a stream that is not listed', { event_streams: `'{5}'` }],
  ['a stream without a number', { event_streams: `'{NULL}'` }],
  ['no stream', { streams: `'{NULL}'` }],
  ['an array that starts at 0', { event_ids: `'[0:0]={${event}}'` }],
  ['an array of arrays', { event_ids: `'{{${event}}}'` }],
  ['the stream of the system', { streams: `'{00000000-0000-0000-0000-000000000001}'` }],
  ['a body that is not JSON', { record_bodies: `ARRAY['{']` }],
  ['no body', { record_bodies: `'{NULL}'` }],
  ['no host', { p_host: 'NULL' }],
  ['no writer', { p_writer: 'NULL' }],
  ...(['streams', 'unit_pairs', 'unit_events', 'unit_records', 'event_ids', 'record_ids'] as const).map(
    (name) => [`null for ${name}`, { [name]: 'NULL' }] as const,
  ),
];

test('a flush whose arrays contradict each other is refused as a whole', () =>
  withMigratedDatabase(async (database) => {
    const runtime = database.connect();
    await database.openStore().append(newUuid(), happened());
    const answers: (readonly [string, string])[] = [];
    for (const [what, over] of refused) answers.push([what, await answerOf(runtime, commit(over))]);
    // Wrong data, a broken constraint, or a conflict.
    assert.equal(
      answers.filter(([, answer]) => !['error 22', 'error 23', '{2}'].includes(answer)),
      [],
    );
    assert.is(await answerOf(runtime, commit({})), '{1}', 'as it should be');
    await mustBeWhole(database);
  }));

/** The lists of a flush, with one cursor. */
const listsOf = (over: object): string =>
  `jsonb_populate_record(NULL::svc_lists, '${JSON.stringify({
    is_mixed: false,
    cursor_names: ['line'],
    cursor_lows: [0],
    ...over,
  })}')`;

test('lists without an epoch, a cursor or a position are refused', () =>
  withMigratedDatabase(async (database) => {
    const runtime = database.connect();
    const { epoch } = await postgresReactionStore(runtime).takeCursor('line', 'beginning');
    const cursor_epochs = [epoch];
    const handled = {
      cursor_epochs,
      handled_units: [1],
      handled_cursors: [1],
      handled_positions: [1],
      handled_keys: ['a'],
    };
    const aside = {
      cursor_epochs,
      aside_units: [1],
      aside_cursors: [1],
      aside_keys: ['a'],
      aside_from: [0],
      aside_next: [1],
      aside_states: ['parked'],
      aside_attempts: [1],
      aside_delays: [0],
      aside_errors: [null],
    };
    const answers: string[] = [];
    for (const lists of [
      { ...handled, cursor_epochs: [null] },
      { ...handled, handled_cursors: [7] },
      { ...handled, handled_cursors: [null] },
      { ...handled, handled_positions: [null] },
      { ...handled, handled_positions: [] },
      { ...aside, aside_cursors: [7] },
      { ...aside, aside_from: [null] },
      { ...aside, cursor_epochs: [null], cursor_names: ['unknown'] },
    ])
      answers.push(await answerOf(runtime, commit({ p_lists: listsOf(lists) })));
    assert.equal(new Set(answers), new Set(['{5}']));
    assert.is(await answerOf(runtime, commit({ p_lists: listsOf(handled) })), '{1}', 'as it should be');
    await mustBeWhole(database);
  }));

/** A value of a type: none, nothing in it, or as large as it can be. */
const values: readonly ((type: string) => string)[] = [
  (type) => `NULL::${type}`,
  (type) => (type.endsWith('[]') ? `'{}'::${type}` : (smallest[type] ?? `NULL::${type}`)),
  (type) => (type.endsWith('[]') ? `'{NULL}'::${type}` : (largest[type] ?? `NULL::${type}`)),
];
const none = '00000000-0000-0000-0000-000000000000';
const smallest: Readonly<Record<string, string>> = {
  text: `''`,
  bytea: `'\\x'::bytea`,
  json: `'{}'::json`,
  jsonb: `'{}'::jsonb`,
  boolean: 'false',
  integer: '(-2147483648)',
  bigint: '(-9223372036854775808)',
  uuid: `'${none}'::uuid`,
};
const largest: Readonly<Record<string, string>> = {
  text: `repeat('\\u0000', 1000)`,
  bytea: `decode(repeat('ff', 1000), 'hex')`,
  json: `'[null]'::json`,
  jsonb: `'[null]'::jsonb`,
  boolean: 'true',
  integer: '2147483647',
  bigint: '9223372036854775807',
  uuid: `'${none.replaceAll('0', 'f')}'::uuid`,
};

/** Each with its types, such as svc_prune(bigint). */
const callable = `SELECT p.oid::regprocedure, p.prokind
  FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace AND p.proname LIKE 'svc\\_%'
    AND pg_get_function_result(p.oid) IS DISTINCT FROM 'trigger'
    AND (p.prosecdef OR p.prokind = 'p') AND has_function_privilege('svc_runtime', p.oid, 'EXECUTE') ORDER BY 1`;

/** Calls one with a value for each of its types. */
function callOf(signature: string, kind: string | null | undefined, value: (type: string) => string): string {
  const [name, types = ''] = signature.slice(0, -1).split('(');
  const given = types === '' ? [] : types.split(',').map(value);
  return `${kind === 'p' ? 'CALL' : 'SELECT * FROM'} ${name}(${given.join(', ')})`;
}

test('no routine that it may call breaks the store, whatever it is given', () =>
  withMigratedDatabase(async (database) => {
    const runtime = database.connect();
    const routines = await runtime.rows({ text: callable });
    assert.ok(routines.length > 60, String(routines.length));
    await database.openStore().append(newUuid(), happened());
    const unexpected: (readonly [string, string])[] = [];
    for (const [signature, kind] of routines)
      for (const value of values) {
        const text = callOf(signature ?? '', kind, value);
        const answer = await answerOf(runtime, text);
        // Data, constraint, limit, our own refusal, or a text that is not what it should be.
        if (/^error (?!22|23|54|P0|42)/.test(answer)) unexpected.push([text, answer]);
      }
    assert.equal(unexpected, []);
    await mustBeWhole(database);
  }));

test('a login without its role calls nothing that changes the store', () =>
  withMigratedDatabase(async (database) => {
    const owner = database.connect({ owner: true });
    const session = await owner.session();
    const role = `"stranger ${newUuid()}"`;
    const answers: string[] = [];
    try {
      const routines = await owner.rows({ text: callable });
      await session.rows({ text: `CREATE ROLE ${role}; SET ROLE ${role}` });
      for (const [signature, kind] of routines) {
        const text = callOf(signature ?? '', kind, (type) => `NULL::${type}`);
        const state = await session.rows({ text }).then(() => 'called', sqlStateOf);
        if (state !== '42501') answers.push(`${text}: ${state}`);
      }
    } finally {
      await session.rows({ text: `RESET ROLE; DROP ROLE ${role}` });
      session.release();
    }
    assert.equal(answers, []);
  }));
