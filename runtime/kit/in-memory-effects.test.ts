import { suite } from '../../contracts/testing/suite.js';
import { effectStoreContract } from '../testing/effect-store-contract.js';
import { InMemoryEventStore } from './in-memory-event-store.js';

effectStoreContract(suite('in-memory effects'), (body) => {
  const store = new InMemoryEventStore();
  return body({ store, effects: store.effects });
});
