import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import { newUuid } from '../../../contracts/uuid.js';
import { partOf } from '../../../runtime/lang/part-of.js';
import { connect } from '../../../runtime/database/connect.js';
import { eventsPerUnit, type ShopStore } from '../reactions/store.js';

const cursor = 'reaction/reserve-stock';
/** Twice as long as an operator should wait for each, and a minute. */
const longestMs = (count: number): number => 60_000 + 12 * count;

/** Parks a key for each of so many orders, as if an earlier host had tried them; no host may run meanwhile. */
export async function parkOrders(url: string, store: ShopStore, round: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 100 * eventsPerUnit)
    await store.placeAll(round, Math.min(left, 100 * eventsPerUnit));
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ key: string; position: string }>(
      `SELECT stream_id AS key, global_position AS position FROM svc_events
        WHERE event_type = 'Placed' AND data->>'round' = $1`,
      [round],
    );
    await client.query(
      `INSERT INTO svc_stuck_work(follower, key, position, state, attempts, error)
        SELECT f, k, p, 'parked', 8, 'no-stock: order ' || k || ' must wait' FROM unnest($1::text[], $2::text[], $3::bigint[]) e(f, k, p)`,
      [
        rows.map(({ key }) => `${cursor}/${partOf(key)}`),
        rows.map(({ key }) => key),
        rows.map(({ position }) => position),
      ],
    );
    await client.query(
      `UPDATE svc_progress SET position = (SELECT max(global_position) FROM svc_events), done = '{}' WHERE name LIKE '${cursor}/%'`,
    );
    await client.query('ANALYZE svc_stuck_work');
  } finally {
    await client.end();
  }
}

/** Resolves when the host handles what is new in every partition. */
export async function untilItReacts(store: ShopStore): Promise<void> {
  for (;;) {
    const round = newUuid();
    await store.placeAll(round, 100);
    await delay(1_000);
    if ((await store.delays(round)).length === 100) return;
  }
}

/** Resolves when no key of the reaction is left; refuses unless each order was handled once. */
export async function untilHandledOnce(store: ShopStore, round: string, count: number): Promise<void> {
  const end = performance.now() + longestMs(count);
  for (let left = count; (left = await leftIn(store)) > 0; await delay(200)) {
    if (performance.now() < end) continue;
    throw new Problem('unexpected', {
      detail: `${left} of ${count} entries are left after ${longestMs(count) / 1_000} s.`,
    });
  }
  const [handled, orders] = [
    await countIn(store, `count(*) AS n FROM svc_events WHERE ${ofRound(round)}`),
    await countIn(store, `count(DISTINCT stream_id) AS n FROM svc_events WHERE ${ofRound(round)}`),
  ];
  if (handled === count && orders === count) return;
  throw new Problem('unexpected', {
    detail: `${handled} commands handled ${orders} of ${count} entries; each must be handled once.`,
  });
}

const leftIn = (store: ShopStore): Promise<number> =>
  countIn(store, `count(*) AS n FROM svc_stuck_work WHERE follower LIKE '${cursor}/%'`);

const ofRound = (round: string): string => `event_type = 'Reserved' AND data->>'round' = '${round}'`;

const countIn = async (store: ShopStore, text: string): Promise<number> =>
  (await store.numbers(`SELECT ${text}`))[0] ?? 0;
