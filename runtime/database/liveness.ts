import type { Database, Row, Session } from './database.js';
import { refusesWrites } from './sql-error.js';

/** Whether the database responds, learned from the statements that are run anyway. */
export class DatabaseLiveness {
  #sentAt = Number.NEGATIVE_INFINITY;
  #latencyMs = 0;
  #writeRefused = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The time since the newest answered statement was sent; infinite after a connection was lost. */
  get ageMs(): number {
    return this.now() - this.#sentAt;
  }

  /** How long that statement took. */
  get latencyMs(): number {
    return this.#latencyMs;
  }

  lost(): void {
    this.#sentAt = Number.NEGATIVE_INFINITY;
  }

  /** A write was refused because the server is read-only or its disk is full: a response proves nothing until writes were checked. */
  get writeRefused(): boolean {
    return this.#writeRefused;
  }

  /** The server was checked and accepts writes. */
  writesWork(): void {
    this.#writeRefused = false;
  }

  async observe<T>(statement: () => Promise<T>): Promise<T> {
    const sentAt = this.now();
    try {
      const answer = await statement();
      if (sentAt > this.#sentAt) {
        this.#sentAt = sentAt;
        this.#latencyMs = this.now() - sentAt;
      }
      return answer;
    } catch (error) {
      if (refusesWrites(error)) this.#writeRefused = true;
      throw error;
    }
  }
}

/** The same database; every response updates its liveness. */
export const observed = (database: Database, liveness: DatabaseLiveness): Database => ({
  rows: (statement) => liveness.observe(() => database.rows(statement)),
  session: async () => observedSession(await database.session(), liveness),
  get changes() {
    return database.changes;
  },
  close: () => database.close(),
});

const observedSession = (session: Session, liveness: DatabaseLiveness): Session => ({
  ...session,
  rows: (statement): Promise<Row[]> => liveness.observe(() => session.rows(statement)),
  prepared: (statement) => {
    const call = session.prepared(statement);
    return (values) => liveness.observe(() => call(values));
  },
});
