import { at, event, hash, key, lease, other, owner, record, third, type Call } from './statement-values.js';

export const outbox: readonly Call[] = [
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

export const inbox: readonly Call[] = [
  [`SELECT held FROM svc_take_lease('inbox', ${lease})`, 'true'],
  [`SELECT held FROM svc_meet_stores(${lease}, '{${other}}', '{1}', false)`, 'true'],
  [`SELECT svc_admit_origin(${lease}, '${third}')`, 'true'],
  [`SELECT pinned FROM svc_pin_key(${lease}, '${third}', ${key})`, 'true'],
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
