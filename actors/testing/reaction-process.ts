import { addService } from '../../runtime/service/service.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { addSystemEventAuditing } from '../add-system-events-and-auditing.js';
import { dispatcherFor } from '../commands/create-dispatcher.js';
import { addReactions } from '../reactions/add-reactions.js';
import { reserveStock, stockReceptors } from './stock-reactions.js';

/** A host in its own process that runs one reaction; an item named `poison` always fails. */
const [url = ''] = process.argv.slice(2);

const service = addService()
  .with(postgresEventStore({ url }))
  .with(addSystemEventAuditing((options) => options.enableAll()));
const store = service.parts.unitStore;
if (store !== undefined) {
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register(
    stockReceptors(({ item }) => {
      if (item === 'poison') throw new TypeError('no such item');
    }),
  );
  service.with(addReactions({ reactions: [{ ...reserveStock, from: 'start' }] }, { dispatcher }));
}
