import * as assert from 'uvu/assert';
import { Event } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { createPerspectiveTables } from '../perspectives/tables/create-tables.js';
import { perspectiveTable } from '../perspectives/tables/perspective-table.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

const test = suite('temporary objects of the role of the runtime');

class Sold extends Event {}
const sales = perspectiveTable({ name: 'sales', events: [Sold], initial: () => ({}), apply: () => ({}) });

/** It notes with whose rights it runs. */
const spy = `CREATE FUNCTION pg_temp.spy() RETURNS text LANGUAGE plpgsql AS $$
  BEGIN PERFORM set_config('svc.ran_as', current_user, false); RETURN 'x'; END $$`;
const row = `pg_temp.spy() AS id, '{}'::json AS model, NULL::text AS tenant, 1::bigint AS position, 1 AS applied`;
const snapshot = `'a'::text AS key, pg_temp.spy() AS model, NULL::text AS tenant, 1::bigint AS global_position, 1 AS applied,
  1::bigint AS at, gen_random_uuid() AS store, 1::bigint AS stream_position, gen_random_uuid() AS event_id`;
const page = JSON.stringify({
  limit: 1,
  offset: 0,
  counted: 0,
  filters: [],
  keys: [{ column: 'id', type: 'text' }],
  segments: [{ where: [], order: [{ column: 'id', descending: false }] }],
});
const subject = newUuid();

for (const [routine, view, columns, call] of [
  ['svc_models', 'svc_per_spy', row, `SELECT FROM svc_models('svc_per_spy', '{x}')`],
  [
    'svc_snapshot',
    'svc_snap_spy',
    snapshot,
    `SELECT FROM svc_snapshot('svc_snap_spy', 'a', NULL, NULL, NULL)`,
  ],
  ['svc_read_rows', 'svc_per_spy', row, `SELECT FROM svc_read_rows('svc_per_spy', '${page}', NULL)`],
  ['svc_subject_turn', sales.table.replace('svc_per_', 'svc_old_per_'), row, `SELECT svc_subject_turn()`],
] as const)
  test(`${routine} does not run them with the rights of the owner`, () =>
    withMigratedDatabase(async ({ connect }) => {
      const owner = connect({ owner: true });
      await createPerspectiveTables(owner, [sales]);
      await owner.rows({
        text: `WITH k AS (INSERT INTO svc_subject_keys(subject, key_id, forgotten_at) VALUES ('${subject}', '${subject}', now()))
          INSERT INTO svc_subject_streams VALUES ('${subject}', '${subject}')`,
      });
      const session = await connect().session();
      await session.rows({ text: spy });
      await session.rows({ text: `CREATE TEMP VIEW ${view} AS SELECT ${columns}` });
      const answer = await session.rows({ text: call }).then(() => 'answered', String);
      const ran = await session.rows({ text: `SELECT current_setting('svc.ran_as', true)` });
      session.release(true);
      assert.equal(ran, [[null]]);
      // The last one passes over tables that are missing.
      assert.match(answer, routine === 'svc_subject_turn' ? /answered/ : /does not exist/);
    }));
