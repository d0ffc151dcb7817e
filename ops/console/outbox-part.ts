import { userInfo } from 'node:os';
import type { OutboxFigures, OutboxPart } from '../../endpoints/console/source.js';
import type { Database } from '../../runtime/database/database.js';
import { listDeadLetters, resolveDeadLetter, showDeadLetter } from '../../runtime/outbox/dead-letters.js';

/** The living relay, as far as the console shows it. */
export interface RelayFigures {
  readonly state: string;
  readonly counts: Readonly<Record<keyof never, number>>;
}

/** Counting stops here: an outbox that is far behind must not be counted to its end every second. */
const mostCounted = 10_000;

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
  const [row] = await database.rows({
    text: `SELECT count(*), extract(epoch FROM clock_timestamp() - min(recorded_at)) * 1000,
        (SELECT count(*) FROM svc_dead_letters)
      FROM (SELECT recorded_at FROM svc_outbox_pending LIMIT ${mostCounted}) pending`,
  });
  const pending = Number(row?.[0] ?? 0);
  const age = row?.[1];
  return {
    pending,
    more: pending === mostCounted,
    oldestAgeMs: age === null || age === undefined ? undefined : Math.max(0, Math.round(Number(age))),
    relay: state,
    counts: { ...counts },
    dead: Number(row?.[2] ?? 0),
  };
}
