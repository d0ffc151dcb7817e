import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { stateListsContract } from '../testing/unit-lists-contract.js';
import { postgresReactionStore } from './postgres-reaction-store.js';

stateListsContract(suite('postgres lists of units'), (body) =>
  withMigratedDatabase((database) =>
    body({ store: database.openStore(), reactions: postgresReactionStore(database.connect()) }),
  ),
);
