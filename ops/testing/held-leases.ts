import * as assert from 'uvu/assert';
import type { FollowedStore } from './followed-scene.js';

interface HeldRows {
  areHeld(): Promise<boolean>;
  /** Whether every other lease is renewed, for the host that had it. */
  othersAreKept(): Promise<boolean>;
}

/** Another session holds the row of one lease of each kind meanwhile. */
export async function whileHeld(
  { database }: FollowedStore,
  body: (rows: HeldRows) => Promise<void>,
): Promise<void> {
  const session = await database.session();
  try {
    await session.rows({ text: 'BEGIN' });
    const names = (await session.rows({ text: `${oneOfEachKind} FOR UPDATE` })).flat();
    const others = await database.rows({ text: othersText, values: [names] });
    assert.ok(others.length > 0);
    const owned = [others.map(([name]) => name), others.map(([, owner]) => owner)];
    await body({
      areHeld: async () => (await database.rows({ text: freeText, values: [names] })).length === 0,
      othersAreKept: async () =>
        (await database.rows({ text: keptText, values: owned })).length === others.length,
    });
  } finally {
    session.release(true);
  }
}

/** Of eight partitions, the first; of what cannot be shared, all. */
const oneOfEachKind = `SELECT name FROM svc_leases
  WHERE name IN (SELECT min(name) FROM svc_leases GROUP BY split_part(name, '/', 1))`;
const othersText = 'SELECT name, owner FROM svc_leases WHERE owner IS NOT NULL AND NOT name = ANY($1)';
const freeText = 'SELECT name FROM svc_leases WHERE name = ANY($1) FOR UPDATE SKIP LOCKED';
const keptText = `SELECT name FROM svc_leases JOIN unnest($1::text[], $2::uuid[]) o(name, owner) USING (name, owner)
  WHERE lease_until > clock_timestamp()`;
