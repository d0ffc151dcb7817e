import * as assert from 'uvu/assert';
import { connect } from '../../runtime/database/connect.js';
import { describeFiles } from '../../runtime/schema/described-files.js';
import { files } from '../../runtime/schema/generated/files.js';
import { withName } from '../../runtime/kit/database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { inbox, outbox } from './message-statements.js';
import { acted, at, type Call, event, key, operate, other, owner, third, timer } from './statement-values.js';

const access: readonly Call[] = [
  [
    `DO $$ BEGIN DELETE FROM svc_events; RAISE 'deleted'; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`,
    '',
  ],
  [`INSERT INTO svc_roles VALUES ('clerk', '{}') RETURNING role`, 'clerk'],
  [
    `INSERT INTO svc_api_keys(id, digest, name, permissions) VALUES ('0123abcd', ${key}, 'test', '{}') RETURNING name`,
    'test',
  ],
];

const operating: readonly Call[] = [
  [`INSERT INTO svc_progress(name, position) VALUES ('reaction/mail/0', 0) RETURNING position`, '0'],
  [
    `INSERT INTO svc_stuck_work(follower, key, position, state, attempts)
      VALUES ('reaction/mail/0', 'a', 1, 'parked', 3), ('process/travel/0', 'b', 2, 'parked', 3),
        ('process/travel/0', 'c', 3, 'parked', 3), ('svc_per_a', 'b', 1, 'parked', 3) RETURNING position`,
    '1',
  ],
  [
    `INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
      VALUES ('travel', 'b', 1, 1, 'flying', 'parked', '{}', '[]', now(), now()) RETURNING key`,
    'b',
  ],
  [
    `INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
      VALUES ('${timer}', 0, now() + interval '1 day', 'process', 'travel', 'b', now(), 0, true, '{}', '{}') RETURNING kind`,
    'process',
  ],
  [operate('release-keys', 'mail,a'), '1'],
  [operate('skip-key', 'travel,b,2'), '1'],
  // The timer.
  [operate('retry-process', 'travel,b'), '1'],
  [operate('adopt-reaction', 'mail,post,false'), '1'],
  [`SELECT svc_release_parked('svc_per_a', NULL)`, 'b'],
  [
    `UPDATE svc_timers SET parked = true, due_at = '1970-01-02T00:00:00Z' WHERE id = '${timer}' RETURNING kind`,
    'process',
  ],
  // The timer, and a dead letter that is not there.
  [
    `SELECT svc_repair_stuck('skip', '{timers@86400000000/${timer},inbox/dead-letter@1}', NULL, 'test', 'over', 'test', ${acted}) ->> 'repaired'`,
    '1',
  ],
  [`SELECT svc_keep_plan('plan', 'retry', 'everything', '{process/travel/0@3/c}')`, 'null'],
  [`SELECT svc_repair_stuck('retry', NULL, 'plan', 'test', 'mended', 'test', ${acted}) ->> 'repaired'`, '1'],
  [`SELECT svc_forget_webhook('${owner}') IS NULL`, 'true'],
  ['SELECT svc_prune_lists()', '0'],
];

const effects: readonly Call[] = [
  [
    `INSERT INTO svc_leases(name, owner) VALUES ('timers/1', '${owner}') ON CONFLICT (name) DO UPDATE SET owner = excluded.owner RETURNING name`,
    'timers/1',
  ],
  [
    `INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
      VALUES ('${third}', 1, now() - interval '1 hour', 'effect', 'sms', '', now(), 0, false, '{}', '{"lane": "n|sms|acme"}') RETURNING lane`,
    'n|sms|acme',
  ],
  [`SELECT svc_lane_shown('n|sms|acme')`, 'acme'],
  [`SELECT svc_lane_effect('n|sms|acme')`, 'n|sms'],
  [
    `SELECT ids[1] FROM svc_claim_effects('${owner}', '{1}', 128, '{sms}', '{""}', '{8}', '{8}', '{}', true, 60000)`,
    third,
  ],
  [`SELECT count(*) FROM svc_beat_effects('${owner}', '{${third}}', '{NULL}', 60000, NULL)`, '1'],
  [
    `SELECT svc_retry_effect('${owner}', '${third}', (SELECT due_at FROM svc_timers WHERE id = '${third}'), 0, 'busy', 1)`,
    'true',
  ],
  [
    `SELECT cardinality(ids) FROM svc_claim_effects('${owner}', '{1}', 128, '{sms}', '{""}', '{8}', '{8}', '{}', true, 60000)`,
    '1',
  ],
  [
    `SELECT svc_park_effect('${owner}', '${third}', (SELECT due_at FROM svc_timers WHERE id = '${third}'),
      'request-version: old', 2, '1', 'test', ${acted})`,
    'true',
  ],
  [`SELECT svc_release_effects('{1}', '{sms}', '2')`, '1'],
  [operate('release-effect', third), '0'],
  [operate('pause-effect', 'sms,*'), '1'],
  [operate('resume-effect', 'sms,*'), '1'],
  [operate('run-timer', third), '0'],
  [operate('run-effect', third), '1'],
  [operate('cancel-timer', third), '0'],
  [operate('cancel-effect', third), '1'],
];

/** What the server makes part of the statements that call it, and what no host here has a reason to call. */
const inlined: readonly Call[] = [
  ['SELECT svc_lock_log()', ''],
  [`SELECT jsonb_array_length(svc_tries('[]', 1, 'busy'))`, '1'],
  [`SELECT svc_first_id('1970-01-01T00:00:01Z')`, '00000000-03e8-0000-0000-000000000000'],
  [`SELECT svc_micros('1970-01-01T00:00:01Z')`, '1000000'],
  [`SELECT svc_iso_time('1970-01-01T00:00:01Z')`, '1970-01-01T00:00:01.000000Z'],
  [`SELECT length(svc_digest('Sold', '{}', '{}', 'north', true))`, '32'],
  ['SELECT svc_next_epoch(0) > 0', 'true'],
  ['SELECT svc_prune() IS NULL', 'true'],
  ['SELECT count(*) FROM (SELECT svc_index_records()) i', '1'],
  [`SELECT svc_time_text('2026-01-02 03:04:05.600Z')`, '2026-01-02T03:04:05.6Z'],
  [`SELECT svc_search_term('type', 'Sold') = svc_search_term('type', 'sold')`, 'true'],
  [
    `DO $$ BEGIN PERFORM svc_require_standby(); RAISE 'not refused'; EXCEPTION WHEN SQLSTATE 'SV001' THEN NULL; END $$`,
    '',
  ],
  [`SELECT svc_lease_is_over('-infinity', 1000)`, 'true'],
  [`SELECT svc_lease_remaining_ms('-infinity')`, '0'],
  [`SELECT svc_destination('Sold', false)`, 'svc.events.Sold'],
  ['SELECT length(svc_timeline())', '8'],
  ['SELECT svc_begin_epoch(0, 0) > 1', 'true'],
  ['SELECT count(*) FROM svc_accept_loss()', '0'],
  ['SELECT count(*) FROM svc_unreported_losses()', '0'],
  [
    `SELECT svc_page_statement('FROM t', '{"keys": []}', '{"where": [], "order": []}', 1, 0) LIKE 'SELECT % ORDER BY tenant LIMIT 1 %'`,
    'true',
  ],
  [`SELECT at FROM svc_stuck_parts('{timers@7/a}')`, '7'],
  ['SELECT svc_archived_to()', '0'],
  ['SELECT svc_must_hold(0, NULL)', 'true'],
  [`SELECT svc_must_hold_streams('{${event}}', NULL)`, 'true'],
  [
    `DO $$ BEGIN PERFORM svc_refuse_archived(0); RAISE 'not refused'; EXCEPTION WHEN SQLSTATE 'SV002' THEN NULL; END $$`,
    '',
  ],
  ['SELECT svc_archive_obstacle(-1, 7)', 'it is not sealed'],
  [`SELECT svc_archive_segment(-1, 7, '/archive', ${key}, ${key}, 1, '{}', '{}')`, 'it is not sealed'],
];

const imports: readonly Call[] = [
  [
    `SELECT r_head > 0 FROM svc_import(svc_head(), '{${other}}', '{${other}}', '{1}', '{${third}}', ARRAY['${at}'::timestamptz], '{Sold}',
      '{north}', ARRAY['{}'::json], ARRAY['{}'::json], '{true}', false)`,
    'true',
  ],
  ['SELECT svc_imported_to(svc_head() - 1, false) = svc_head()', 'true'],
];

const moving: readonly Call[] = [
  [`SELECT count(*) > 40 FROM svc_copied_tables()`, 'true'],
  [
    `DO $$ BEGIN PERFORM svc_hold_store(); DELETE FROM svc_roles; EXCEPTION WHEN SQLSTATE 'SV003' THEN /* svc_refuse_moved() */ NULL; END $$`,
    '',
  ],
  [
    `CREATE TRIGGER svc_moved BEFORE TRUNCATE ON svc_store FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change()`,
    '',
  ],
  ['SELECT svc_open_moved() > 1', 'true'],
];

const last: readonly Call[] = [
  [`SELECT svc_keep_state('Account', 1, '${event}', 1, '${event}', '{}')`, 'null'],
  [`SELECT id <> id_was FROM svc_adopt_store(false)`, 'true'],
  // A segment far ahead, as if its rows had left.
  [
    `INSERT INTO svc_segments(low, high, state, gathered, indexed) VALUES (2000000000000000, 2000000000000001, 'archived', 2000000000000001, 2000000000000001) RETURNING state`,
    'archived',
  ],
  ['SELECT svc_make_segment_tables(2000000000000000, 2000000000000001)', ''],
  ['SELECT svc_attach_segment(2000000000000000)', 'true'],
];

/** What no host has called, in this order. */
const routineStatements: readonly Call[] = [
  ...[...access, ...operating, ...effects, ...outbox, ...inbox, ...inlined],
  ...[...imports, ...moving, ...last],
];

/** Calls what no host has called, on a store whose hosts have stopped. */
export async function callRoutines(url: string): Promise<void> {
  const client = await connect(url);
  try {
    for (const [text, answer] of routineStatements) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      const [[answered = ''] = []] = rows.map((row) => row.map(String));
      assert.is(answered, answer, text);
    }
  } finally {
    await client.end();
  }
}

/**
 * The routines of the schema that no session of the server has called. Creating one does not check all that is in it, and a
 * session reports what it has called when it ends; of what it has inlined it reports nothing, so that is called here by name.
 */
export async function routinesNotCalled(server: string): Promise<readonly string[]> {
  const sessions = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  await until(async () => (await rowsOf(server, sessions)).length === 0);
  const databases = await rowsOf(
    server,
    "SELECT datname FROM pg_database WHERE datname NOT LIKE 'template%'",
  );
  const called = new Set<string>();
  for (const [name = ''] of databases)
    for (const [routine = ''] of await rowsOf(
      withName(server, name),
      'SELECT funcname FROM pg_stat_user_functions',
    ))
      called.add(routine);
  return (await describeFiles(files))
    .flatMap(({ routines }) => routines)
    .map(({ name }) => name)
    .filter((name) => !called.has(name) && !routineStatements.some(([text]) => text.includes(`${name}(`)));
}
