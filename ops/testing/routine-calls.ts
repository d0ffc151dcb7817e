import * as assert from 'uvu/assert';
import { connect } from '../../runtime/database/connect.js';
import { describeFiles } from '../../runtime/schema/described-files.js';
import { files } from '../../runtime/schema/generated/files.js';
import { withName } from '../../runtime/kit/database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';

/** What a statement answers: the first column of its first row. */
type Call = readonly [statement: string, answer: string];

const [owner, other, third, event, record, timer] = [1, 2, 3, 4, 5, 6].map(
  (n) => `00000000-0000-7000-8000-00000000000${n}`,
);
const lease = `'${owner}', 60000`;
const key = `decode(repeat('11', 32), 'hex')`;
const at = '2026-01-01T00:00:00Z';
const hash = `svc_chain_hash('\\x00', 1, 1, NULL, '${at}', '${record}', ${key})`;
const acted = `gen_random_uuid(), 'OperatorActed', '{}', '{}', true`;
const operate = (action: string, args: string): string =>
  `SELECT svc_operate('${action}', '{${args}}', 'test', ${acted})`;

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
  [`SELECT svc_release_parked('svc_per_a', NULL)`, '1'],
  [
    `UPDATE svc_timers SET parked = true, due_at = '1970-01-02T00:00:00Z' WHERE id = '${timer}' RETURNING kind`,
    'process',
  ],
  // The timer, and a dead letter that is not there.
  [
    `SELECT svc_repair_stuck('skip', '{timers@86400000000/${timer},inbox/dead-letter@1}', NULL, 'test', 'over', 'test', ${acted}) ->> 'repaired'`,
    '1',
  ],
  [`SELECT svc_keep_plan('plan', 'retry', 'everything', '{process/travel/0@3/c}')`, ''],
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
  [
    `SELECT ids[1] FROM svc_claim_effects('${owner}', '{1}', '{""}', 128, '{sms}', '{8}', '{8}', '{}', '{}', 60000)`,
    String(third),
  ],
  [`SELECT count(*) FROM svc_beat_effects('${owner}', '{${third}}', '{NULL}', 60000, NULL)`, '1'],
  [
    `SELECT svc_retry_effect('${owner}', '${third}', (SELECT due_at FROM svc_timers WHERE id = '${third}'), 0, 'busy', 1)`,
    'true',
  ],
  [
    `SELECT cardinality(ids) FROM svc_claim_effects('${owner}', '{1}', '{""}', 128, '{sms}', '{8}', '{8}', '{}', '{}', 60000)`,
    '1',
  ],
  [
    `SELECT svc_park_effect('${owner}', '${third}', (SELECT due_at FROM svc_timers WHERE id = '${third}'),
      'request-version: old', 2, '1', 'test', ${acted})`,
    'true',
  ],
  [`SELECT svc_release_effects('{1}', '{sms}', '2')`, '1'],
  [operate('release-effect', String(third)), '0'],
  [operate('pause-effect', 'sms,*,ann'), '1'],
  [operate('resume-effect', 'sms,*'), '1'],
  [operate('run-timer', String(third)), '0'],
  [operate('run-effect', String(third)), '1'],
  [operate('cancel-timer', String(third)), '0'],
  [operate('cancel-effect', String(third)), '1'],
];

const outbox: readonly Call[] = [
  [`SELECT held FROM svc_outbox_turn(${lease})`, 'true'],
  [`SELECT svc_outbox_refused('${owner}', 1, 'refused', 1000)`, 'true'],
  [`SELECT svc_outbox_dead_letter('${owner}', 1, 3, 'refused', 'kind') > 0`, 'true'],
  [
    `SELECT cardinality(svc_resolve_dead_letters(array_agg(id), 'retrying', 'test', 'mended')) > 0 FROM svc_dead_letters`,
    'true',
  ],
  [`SELECT messages >= 0 FROM svc_outbox_republish(1)`, 'true'],
  [`SELECT svc_record_namespace('svc')`, 'svc'],
];

const inbox: readonly Call[] = [
  [`SELECT held FROM svc_take_lease('inbox', ${lease})`, 'true'],
  [`SELECT held FROM svc_meet_stores(${lease}, '{${other}}', '{1}', false)`, 'true'],
  [`SELECT svc_admit_origin(${lease}, '${third}')`, 'true'],
  [`SELECT pinned FROM svc_pin_key(${lease}, '${third}', ${key}, true)`, 'true'],
  [
    `SELECT followed FROM svc_follow_keys(${lease}, '${third}', ARRAY[${key}], ARRAY[sha256('next')], '{9}', ARRAY[decode(repeat('11', 128), 'hex')])`,
    'true',
  ],
  [
    `SELECT r_status FROM svc_receive(${lease}, '{${other}}', '{${event}}', '{1}', '{${event}}', '{Sold}', ARRAY['{}'::json],
      ARRAY['{}'::json], '{north}', '{${at}}', '{${at}}', 'test', '{${record}}', ARRAY['{}'::json], ARRAY['{}'::json], '{true}')`,
    '1',
  ],
  [`SELECT svc_trust_store('${other}', ${key}, 'test')`, 'true'],
  [
    `SELECT r_status FROM svc_receive_system(${lease}, '{${other}}', '{1}', '{${record}}', '{EventAudited}', ARRAY['{}'::json],
      ARRAY['{}'::json], '{0}', '{false}', ARRAY[${key}], ARRAY[${hash}], '{north}', '{${at}}', '{1}')`,
    '1',
  ],
  [
    `SELECT result FROM svc_receive_head(${lease}, '${other}', 1, ${hash}, '${at}', ${key}, '\\x00', 1, '1:0', 1)`,
    '1',
  ],
  // The head has confirmed it.
  [`SELECT count(*) FROM svc_received_system_events`, '1'],
  [
    `SELECT r_status FROM svc_receive_epochs('${owner}', '{${other}}', '{1}', '{5}', '{1:0}', ARRAY[${key}], '{5}')`,
    '1',
  ],
  // Its log went back from 5 to 3.
  [
    `SELECT r_status FROM svc_receive_epochs('${owner}', '{${other}}', '{2}', '{9}', '{1:0 2:3}', ARRAY[${key}], '{9}')`,
    '3',
  ],
  [`SELECT svc_release_origin('${other}')`, 'true'],
  [`SELECT begun FROM svc_inbox_begin('${owner}', ${key})`, '1'],
  [
    `SELECT r_status FROM svc_inbox_dead_letters('${owner}', '{${event}}', '{Sold}', '{svc.events.Sold}', '{unreadable}', '{alike}',
      ARRAY['{}'::json], ARRAY[${key}], '{32}', ARRAY[${key}], '{acme}', '{NULL}')`,
    '1',
  ],
  [
    `SELECT cardinality(svc_resolve_dead_letters(array_agg(id), 'retrying', 'test', NULL)) FROM svc_dead_letters WHERE fingerprint = 'alike'`,
    '1',
  ],
  [`SELECT count(*) FROM svc_inbox_replays('${owner}', 10)`, '1'],
  [`SELECT svc_inbox_end('${owner}', ${key})`, 'null'],
  [`SELECT svc_inbox_stream('${owner}', 'SVC_EVENTS', '${at}')`, 'null'],
  [`SELECT svc_forget_store('${other}', 'test')`, 'true'],
];

/** What the server makes part of the statements that call it, and what no host here has a reason to call. */
const inlined: readonly Call[] = [
  ['SELECT svc_lock_log()', ''],
  [`SELECT jsonb_array_length(svc_tries('[]', 1, 'busy'))`, '1'],
  [`SELECT svc_first_id('1970-01-01T00:00:01Z')`, '00000000-03e8-0000-0000-000000000000'],
  [`SELECT length(svc_digest('Sold', '{}', '{}', 'north', true))`, '32'],
  ['SELECT svc_next_epoch(0) > 0', 'true'],
  ['SELECT svc_prune() IS NULL', 'true'],
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
  [`SELECT at FROM svc_stuck_parts('{timers@7/a}', '{timers@%}')`, '7'],
];

const last: readonly Call[] = [
  [`SELECT svc_keep_state('Account', 1, '${event}', 1, '${event}', '{}')`, ''],
  [`SELECT id <> id_was FROM svc_adopt_store(false)`, 'true'],
];

const calls = [...access, ...operating, ...effects, ...outbox, ...inbox, ...inlined, ...last];

/** Calls what no host has called, on a store whose hosts have stopped. */
export async function callRoutines(url: string): Promise<void> {
  const client = await connect(url);
  try {
    for (const [text, answer] of calls) {
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
    .filter((name) => !called.has(name) && !calls.some(([text]) => text.includes(`${name}(`)));
}
