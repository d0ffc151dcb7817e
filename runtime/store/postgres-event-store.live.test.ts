import { suite } from '../../contracts/testing/suite.js';
import { eventStoreContract } from '../kit/event-store-contract.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';

const contract = suite('postgres event store');

eventStoreContract(contract, (body) => withMigratedDatabase((database) => body(database.openStore())));
