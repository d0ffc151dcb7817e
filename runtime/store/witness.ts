import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

export interface Loss {
  /** The newest position that this host had seen. */
  readonly lostTo: Long;
  readonly head: Long;
}

/**
 * What this host was promised: the newest position that it has seen, and the event there. Neither the end of the log
 * nor the timeline of the server shows a loss, as new events soon pass the old end; the event at a position does.
 */
export class Witness {
  #position: Long = 0;
  #eventId: Uuid = '';
  #asked = -1;

  constructor(private readonly database: Pick<Database, 'rows' | 'changes'>) {}

  saw(position: Long, eventId: Uuid): void {
    if (position <= this.#position) return;
    this.#position = position;
    this.#eventId = eventId;
  }

  /** Asks once per change of connections; a loss is answered once, and from then on the new history counts. */
  async loss(): Promise<Loss | undefined> {
    const { changes } = this.database;
    if (changes === this.#asked || this.#position === 0) return undefined;
    const [position, eventId] = [this.#position, this.#eventId];
    const [row] = await this.database.rows({ text: asked, values: [position, eventId] });
    this.#asked = changes;
    if (row?.[0] === 't') return undefined;
    if (this.#position === position) this.#position = 0;
    return { lostTo: position, head: Number(row?.[1] ?? 0) };
  }
}

const asked = `SELECT svc_holds_event($1, $2),
  greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0)`;
