import { Problem } from '../../contracts/problems.js';
import { addService } from '../../runtime/service/service.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { addSystemEventAuditing } from '../add-system-events-and-auditing.js';
import { dispatcherFor } from '../commands/create-dispatcher.js';
import { addReactions } from '../reactions/add-reactions.js';
import { reserveStock, stockReceptors } from './stock-reactions.js';

/** A host in its own process that runs one reaction; an item named `poison` always fails, one named `refused` in version 1. */
const [url = '', name = reserveStock.name, version = '1.0.0'] = process.argv.slice(2);

const service = addService()
  .with(postgresEventStore({ url }))
  .with(addSystemEventAuditing((options) => options.enableAll()));
const store = service.parts.unitStore;
if (store !== undefined) {
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register(
    stockReceptors(({ item }) => {
      if (item === 'poison') throw new TypeError('no such item');
      if (item === 'refused' && version === '1.0.0') throw new Problem('out-of-stock', { status: 422 });
    }),
  );
  service.with(
    addReactions(
      { reactions: [{ ...reserveStock, name, from: 'start' }] },
      // Tests kill it, and another takes over when its leases have ended.
      { dispatcher, version, leaseMs: 2_000, renewMs: 700 },
    ),
  );
}
