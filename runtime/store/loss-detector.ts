import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

export interface Loss {
  /** The newest position that this host had seen. */
  readonly lostTo: Long;
  readonly head: Long;
}

/** The newest event seen over the same connections. */
interface ObservedEvent {
  readonly changes: number;
  position: Long;
  eventId: Uuid;
}

/**
 * Remembers what this host was promised. Neither the head of the log nor the timeline of the server reveals a loss, as
 * new events soon pass the old head; the event at a position does. A new connection may lead to another server, so
 * what was seen before it is kept until the log was checked for it.
 */
export class LossDetector {
  #observed: ObservedEvent[] = [];
  #checkedAt = -1;

  constructor(private readonly database: Pick<Database, 'rows' | 'changes'>) {}

  observe(position: Long, eventId: Uuid): void {
    const { changes } = this.database;
    const last = this.#observed.at(-1);
    if (last?.changes !== changes) {
      this.#observed.push({ changes, position, eventId });
      if (this.#observed.length > maxObserved) this.#observed.shift();
    } else if (position > last.position) {
      last.position = position;
      last.eventId = eventId;
    }
  }

  /** Checks once per change of connections; a loss is reported once, and from then on the new history counts. */
  async detect(): Promise<Loss | undefined> {
    const { changes } = this.database;
    const seen = [...this.#observed];
    if (changes === this.#checkedAt || seen.length === 0) return undefined;
    const values = [seen.map(({ position }) => position), seen.map(({ eventId }) => eventId)];
    const [row] = await this.database.rows({ text: lossQuery, values });
    this.#checkedAt = changes;
    this.#observed = this.#observed.filter((each) => !seen.includes(each) || each === seen.at(-1));
    if (row?.[0] === null || row?.[0] === undefined) return undefined;
    this.#observed = this.#observed.filter((each) => !seen.includes(each));
    return { lostTo: Number(row[0]), head: Number(row[1] ?? 0) };
  }
}

const maxObserved = 64;

const lossQuery = `SELECT
  (SELECT max(p) FROM unnest($1::bigint[], $2::uuid[]) w(p, e) WHERE NOT svc_holds_event(p, e)),
  greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0)`;
