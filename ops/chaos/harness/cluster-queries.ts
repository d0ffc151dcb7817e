import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import { type Database, openDatabase } from '../../../runtime/database/database.js';
import type { HeldRecord } from './broadcast-check.js';

/** Opens a store for reading. */
export async function inStore<T>(url: string, body: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, applicationName: 'chaos-checker', statementTimeoutMs: 600_000 });
  try {
    return await body(database);
  } finally {
    await database.close();
  }
}

export async function broadcastBy(database: Database): Promise<HeldRecord[]> {
  return held(
    database,
    `SELECT (SELECT id FROM svc_store), stream_position, event_id, encode(hash, 'hex')
      FROM svc_system_events WHERE publish ORDER BY stream_position`,
  );
}

export async function receivedBy(database: Database): Promise<HeldRecord[]> {
  return held(
    database,
    `SELECT o.store, r.stream_position, r.event_id, encode(r.hash, 'hex')
      FROM svc_received_system_events r JOIN svc_origins o USING (origin) ORDER BY r.id`,
  );
}

async function held(database: Database, text: string): Promise<HeldRecord[]> {
  return (await database.rows({ text })).map(([store, position, eventId, hash]) => ({
    store: store ?? '',
    position: Number(position),
    eventId: eventId ?? '',
    hash: hash ?? '',
  }));
}

/** Domain events, of this store or of others, in stream order. */
export async function eventsIn(database: Database, of: 'own' | 'others'): Promise<string[]> {
  const rows = await database.rows({
    text: `SELECT event_id FROM svc_events WHERE origin ${of === 'own' ? '=' : '<>'} 0
      ORDER BY stream_id, ${of === 'own' ? 'stream_position' : 'global_position'}`,
  });
  return rows.map(([id]) => id ?? '');
}

export async function deadLettersIn(database: Database): Promise<number> {
  const [row] = await database.rows({ text: 'SELECT count(*) FROM svc_dead_letters' });
  return Number(row?.[0]);
}

/** Whether the received records of every store form its chain, without a gap. */
export async function chainsHold(database: Database, stores: Iterable<string>): Promise<boolean> {
  for (const origin of stores) {
    const { ok, missing } = await verifyChain(database, { origin });
    if (!ok || missing !== 0) return false;
  }
  return true;
}
