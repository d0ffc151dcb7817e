import { addService } from '../../runtime/service.js';
import { postgresEventStore } from '../../runtime/store/event-store-addition.js';
import { addServicePerspectives } from '../perspectives/perspectives.js';
import { addSystemEvents } from '../system-events.js';
import { accounts } from './ledger.js';

/** A host of two perspectives as a process of its own. */
const [url = ''] = process.argv.slice(2);

addService()
  .with(postgresEventStore({ url }))
  .with(addSystemEvents((options) => options.enablePerspectiveEvents()))
  .with(
    addServicePerspectives([accounts({ snapshotEvery: 3 }), accounts({ name: 'ledger', snapshotEvery: 7 })], {
      pageSize: 20,
    }),
  );
