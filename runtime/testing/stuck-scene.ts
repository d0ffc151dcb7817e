import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { AuditPolicy } from '../audit/audit-policy.js';
import { systemRecord } from '../audit/system-record.js';
import type { Database } from '../database/database.js';
import type { OperatorCall } from '../store/operator-action.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from './migrated-database.js';

/** A store with something stuck, and an operator. */
export interface StuckScene {
  readonly url: string;
  readonly owner: Database;
  readonly call: OperatorCall & { readonly database: Database };
  /** The first column of the rows of a query. */
  all(text: string): Promise<readonly string[]>;
  /** What operators did: action, target, entries and reason. */
  acted(): Promise<readonly string[]>;
}

const policy = new AuditPolicy(new SystemEventOptions());

const timer = '00000000-0000-7000-8000-000000000001';

/** One entry of each kind, each with a cause of its own, and what is not stuck beside them. */
const oneOfEach = `
INSERT INTO svc_perspectives(table_name, name, hash, types, by_stream, registered_at) VALUES
  ('svc_per_orders_1', 'orders', 'old', '{}', true, now() - interval '1 day'), ('svc_per_orders_2', 'orders', 'new', '{}', true, now());
INSERT INTO svc_progress(name) VALUES ('svc_per_orders_1'), ('svc_per_orders_2');
INSERT INTO svc_stuck_work(follower, key, position, state, since, attempts, next_attempt_at, error) VALUES
  ('svc_per_orders_1', 'o-1', 1, 'parked', '2026-01-02T00:00:00Z', 3, NULL, 'TypeError: no total in order 17'),
  ('svc_per_orders_2', 'o-1', 1, 'parked', '2026-01-02T00:00:00Z', 3, NULL, 'TypeError: no total in order 17'),
  ('reaction/reserve-stock/3', 'o-1', 1, 'parked', '2026-01-03T00:00:00Z', 8, NULL, 'no-stock: 3 of item 4711 are missing'),
  ('reaction/reserve-stock/4', 'o-2', 2, 'retrying', '2026-01-04T00:00:00Z', 2, '2026-01-04T00:00:08Z', 'no-stock: 9 of item 12 are missing'),
  ('reaction/reserve-stock/5', 'slow', 2, 'retrying', '2026-01-04T00:00:00Z', 0, '2026-01-04T00:00:00Z', NULL),
  ('process/payment/1', 'p-1', 2, 'parked', '2026-01-05T00:00:00Z', 1, NULL, 'process-refused: declined'),
  ('outbox', '2', 2, 'retrying', '2026-01-08T00:00:00Z', 4, '2026-01-08T00:00:16Z', 'no-stream: nobody takes it');
INSERT INTO svc_processes(name, key, revision, version, state, status, snapshot, trail, error, started_at, updated_at)
  SELECT 'payment', key, 7, 1, 'paying', status, '{}', '[]', error, now(), '2026-01-06T00:00:00Z'
  FROM (VALUES ('p-1', 'parked', 'declined'), ('p-2', 'parked', 'declined'), ('p-3', 'parked', 'lost'), ('p-4', 'running', NULL)) p(key, status, error);
INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, error, data, context)
  VALUES ('${timer}', 0, '2026-01-07T00:00:00Z', 'process', 'payment', 'p-2', now(), 8, true, 'Error: too late', '{}', '{"scope":{"tenantId":"acme"}}');
INSERT INTO svc_stuck_work(id, follower, key, position, state, since, attempts, error, fingerprint, message_id, message_type, destination, bytes, body) VALUES
  (1, 'outbox', '1', 1, 'parked', '2026-01-09T00:00:00Z', 5, 'too-large: no', '00000000000a', gen_random_uuid(), 'Sold', 'svc.events.Sold', NULL, NULL),
  (2, 'inbox', 'a', NULL, 'parked', '2026-01-10T00:00:00Z', 1, 'unreadable: no', '00000000000b', gen_random_uuid(), 'Baked', 'svc.events.Baked', 1, 'x'),
  (3, 'inbox', 'b', NULL, 'parked', '2026-01-11T00:00:00Z', 1, 'unreadable: no', '00000000000b', gen_random_uuid(), 'Baked', 'svc.events.Baked', 2, 'x'),
  (4, 'inbox', 'c', NULL, 'discarded', '2026-01-12T00:00:00Z', 1, 'unreadable: no', '00000000000b', gen_random_uuid(), 'Baked', 'svc.events.Baked', 1, 'x')`;

/** A store in which something of each kind is stuck; the first two positions of its log are events of the tenant acme. */
export const withStuck = (body: (scene: StuckScene) => Promise<void>): Promise<void> =>
  withEmptyStore(async (scene) => {
    await scene.owner.rows({ text: oneOfEach });
    await body(scene);
  });

export const withEmptyStore = (body: (scene: StuckScene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const owner = connect({ owner: true });
    const store = openStore();
    for (let n = 0; n < 2; n++)
      await store.append(newUuid(), {
        messageId: newUuid(),
        messageType: 'Sold',
        v: 1,
        payload: { card: 'secret' },
        timestamp: new Date().toISOString(),
        scope: { tenantId: 'acme' },
      });
    const operator = {
      host: 'desk',
      changedBy: 'ann',
      recordOf: (message: Parameters<typeof systemRecord>[0]) => systemRecord(message, {}, policy),
    };
    const all = async (text: string): Promise<readonly string[]> =>
      (await owner.rows({ text })).map(([first]) => first ?? '');
    await body({
      url,
      owner,
      all,
      call: { database: connect(), operator, reason: 'it is mended' },
      acted: () =>
        all(`SELECT concat_ws('|', data->>'action', data->>'target', data->'details'->>'entries', data->>'reason')
          FROM svc_system_events WHERE event_type = 'OperatorActed' ORDER BY stream_position`),
    });
  });

/** Parks keys of a reaction, `prefix-1` and so on, each at an event of its own. */
export const parkKeys = async (
  { owner }: Pick<StuckScene, 'owner'>,
  count: number,
  error = 'no-stock: 3 of item 4711 are missing',
): Promise<void> => {
  await owner.rows({
    text: `INSERT INTO svc_stuck_work(follower, key, position, state, attempts, error)
      SELECT 'reaction/reserve-stock/' || n % 8, 'k-' || n, 100 + n, 'parked', 8, $2
      FROM generate_series(1, $1::int) n`,
    values: [count, error],
  });
};
