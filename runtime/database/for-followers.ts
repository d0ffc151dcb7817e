import type { Database } from './database.js';

/** The same database for what follows the log: when connections are scarce, commands, reads and leases come first. */
export const forFollowers = (database: Database): Database => ({
  rows: (statement) => database.rows({ ...statement, isFollower: true }),
  session: () => database.session(),
  get changes() {
    return database.changes;
  },
  close: () => database.close(),
});
