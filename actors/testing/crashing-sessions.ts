import { Problem } from '../../contracts/problems.js';
import type { Database, Session } from '../../runtime/database/database.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';

/** How many statements a process may run before it dies. */
export interface StatementBudget {
  left: number;
  isOver?: boolean;
}

export function spend(life: StatementBudget): void {
  life.isOver = life.left-- <= 0;
  if (life.isOver) throw new Problem('died');
}

/** All connections of a run die at once, and their transactions are rolled back. */
export const crashingSession = (session: Session, life: StatementBudget): Session => ({
  ...session,
  rows: async (statement) => {
    spend(life);
    return session.rows(statement);
  },
  copyBytes: async (text, read) => {
    spend(life);
    return session.copyBytes(text, read);
  },
});

/** A connection of the owner whose statements are counted. */
export const crashingConnection = (owner: Database, life: StatementBudget): StoreConnection => {
  const database: Database = {
    get changes() {
      return owner.changes;
    },
    rows: async (statement) => {
      spend(life);
      return owner.rows(statement);
    },
    session: async () => crashingSession(await owner.session(), life),
    close: () => Promise.resolve(),
  };
  return { database: owner, asOwner: (body) => body(database) };
};
