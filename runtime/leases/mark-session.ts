import type { Uuid } from '../../contracts/scalars.js';
import type { Session } from '../database/database.js';

/**
 * All sessions of a host share an advisory lock, which PostgreSQL releases with the last of them: the successor of a host
 * that was killed need not wait until its leases end.
 */
export async function markSession(session: Pick<Session, 'rows'>, owner: Uuid): Promise<void> {
  const text = "SELECT pg_advisory_lock_shared(hashtextextended('svc host ' || $1, 0))";
  await session.rows({ text, values: [owner] });
}
