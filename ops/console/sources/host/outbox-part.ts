import { userInfo } from 'node:os';
import type { OutboxFigures, OutboxPart, RelayFigures } from '../../model/outbox.js';
import type { Database } from '../../../../runtime/database/database.js';
import { readOutboxBacklog } from '../../../../runtime/outbox/backlog.js';
import {
  listDeadLetters,
  resolveDeadLetter,
  showDeadLetter,
} from '../../../../runtime/dead-letters/dead-letters.js';

/** The limit of the count. */
const maxCounted = 10_000;

export function outboxPart(database: Database, relay: () => RelayFigures): OutboxPart {
  const by = `console (${userInfo().username})`;
  return {
    figures: () => figures(database, relay()),
    deadLetters: () => listDeadLetters(database),
    deadLetter: (id) => showDeadLetter(database, id),
    replay: (id) => resolveDeadLetter(database, id, { state: 'replaying', by }),
    discard: (id, reason) => resolveDeadLetter(database, id, { state: 'discarded', by, reason }),
  };
}

async function figures(database: Database, { state, counts }: RelayFigures): Promise<OutboxFigures> {
  const [{ messages, oldestAgeSeconds }, [row]] = await Promise.all([
    readOutboxBacklog(database),
    database.rows({ text: 'SELECT count(*) FROM svc_dead_letters' }),
  ]);
  return {
    pending: messages,
    more: messages >= maxCounted,
    oldestAgeMs: messages === 0 ? undefined : Math.round(oldestAgeSeconds * 1000),
    relay: state,
    counts: { ...counts },
    dead: Number(row?.[0] ?? 0),
  };
}
