import { suite } from '../../contracts/testing/suite.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { unitListsContract } from '../testing/unit-lists-contract.js';

const contract = suite('in-memory lists of units');
unitListsContract(contract, (body) => {
  const store = new InMemoryEventStore();
  return body({ store, reactions: store.reactions });
});
