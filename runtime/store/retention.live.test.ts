import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { prune } from './prune.js';

const test = suite('retention');

/** For each rule, rows that are a minute short of their time, and over it by a minute. */
const rules: readonly (readonly [
  rule: string,
  insert: (age: string, name: string) => string,
  names: string,
])[] = [
  [
    'the answer to a request is removed when it has expired',
    (age, name) =>
      `INSERT INTO svc_idempotency(key, fingerprint, status, body, expires_at)
        VALUES ('${name}', '', 200, '', clock_timestamp() ${age})`,
    `SELECT convert_from(key, 'UTF8') FROM svc_idempotency`,
  ],
  [
    'the answer to a flush is kept for an hour',
    (age, name) =>
      `INSERT INTO svc_flushes SELECT gen_random_uuid(), 1, '{}', '{}', '{}', clock_timestamp() - interval '1 hour' ${age}
        WHERE '${name}' <> ''`,
    `SELECT CASE WHEN at > clock_timestamp() - interval '1 hour' THEN 'short' ELSE 'over' END FROM svc_flushes`,
  ],
  [
    'an ended process is kept for a week, with its trail',
    (age, name) =>
      `INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, started_at, updated_at)
        VALUES ('p', '${name}', 1, 1, 'done', 'ended', '{}', '[]', now(), clock_timestamp() - interval '7 days' ${age})`,
    'SELECT key FROM svc_processes',
  ],
  [
    'a settled dead letter is kept for 30 days',
    (age, name) =>
      `INSERT INTO svc_stuck_work(follower, key, state, attempts, id, resolved_at)
        VALUES ('inbox', '${name}', 'discarded', 1, nextval('svc_dead_letter_ids'), clock_timestamp() - interval '30 days' ${age})`,
    'SELECT key FROM svc_stuck_work',
  ],
];

for (const [rule, insert, names] of rules)
  test(rule, () =>
    withMigratedDatabase(async ({ connect }) => {
      const owner = connect({ owner: true });
      await owner.rows({ text: insert(`+ interval '1 minute'`, 'short') });
      await owner.rows({ text: insert(`- interval '1 minute'`, 'over') });
      await prune(connect());
      assert.equal(await owner.rows({ text: names }), [['short']]);
    }),
  );
