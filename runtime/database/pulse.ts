import type { Database, Row, Session } from './database.js';
import { isReadOnly } from './sql-error.js';

/** Whether the database answers, as everybody who uses it has found out anyway. */
export class Pulse {
  #sentAt = Number.NEGATIVE_INFINITY;
  #latencyMs = 0;
  #wroteInVain = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How long ago the newest statement was sent that was answered; endless after a connection was lost. */
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

  /** A write was refused because the server is read-only: that it answers says nothing until it was asked about that. */
  get wroteInVain(): boolean {
    return this.#wroteInVain;
  }

  /** It was asked, and takes writes. */
  takesWrites(): void {
    this.#wroteInVain = false;
  }

  async feel<T>(statement: () => Promise<T>): Promise<T> {
    const sentAt = this.now();
    const answer = await statement().catch((error: unknown) => {
      if (isReadOnly(error)) this.#wroteInVain = true;
      throw error;
    });
    if (sentAt > this.#sentAt) {
      this.#sentAt = sentAt;
      this.#latencyMs = this.now() - sentAt;
    }
    return answer;
  }
}

/** The same database; every answer of it is felt. */
export const felt = (database: Database, pulse: Pulse): Database => ({
  rows: (statement) => pulse.feel(() => database.rows(statement)),
  session: async () => feltSession(await database.session(), pulse),
  get changes() {
    return database.changes;
  },
  close: () => database.close(),
});

const feltSession = (session: Session, pulse: Pulse): Session => ({
  ...session,
  rows: (statement): Promise<Row[]> => pulse.feel(() => session.rows(statement)),
  prepared: (statement) => {
    const call = session.prepared(statement);
    return (values) => pulse.feel(() => call(values));
  },
});
