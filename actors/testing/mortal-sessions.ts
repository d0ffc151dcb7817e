import { Problem } from '../../contracts/problems.js';
import type { Database, Session } from '../../runtime/database/database.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';

/** How many statements a process has left before it dies. */
export interface Life {
  left: number;
  isOver?: boolean;
}

export function live(life: Life): void {
  life.isOver = life.left-- <= 0;
  if (life.isOver) throw new Problem('died');
}

/** All connections of a life die at once, and what they had begun is rolled back. */
export const mortal = (session: Session, life: Life): Session => ({
  ...session,
  rows: async (statement) => {
    live(life);
    return session.rows(statement);
  },
  copyBytes: async (text, read) => {
    live(life);
    return session.copyBytes(text, read);
  },
});

/** A connection of the owner whose statements are counted. */
export const mortalConnection = (owner: Database, life: Life): StoreConnection => {
  const database: Database = {
    get changes() {
      return owner.changes;
    },
    rows: async (statement) => {
      live(life);
      return owner.rows(statement);
    },
    session: async () => mortal(await owner.session(), life),
    close: () => Promise.resolve(),
  };
  return { database: owner, asOwner: (body) => body(database) };
};
