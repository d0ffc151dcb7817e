import { addService } from '../../runtime/service/service.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { addServicePerspectives } from '../perspectives/add-service-perspectives.js';
import { addSystemEvents } from '../add-system-events-and-auditing.js';
import type { ProcessOrder } from './killed-hosts.js';
import { accounts } from './accounts-perspective.js';

/** A host in its own process; it runs its perspectives, and rebuilds the first one when a mode is given. */
const [url = '', text = '{}'] = process.argv.slice(2);
const { names = ['accounts'], mode, leases = {} } = JSON.parse(text) as ProcessOrder;

const service = addService()
  .with(postgresEventStore({ url }))
  .with(addSystemEvents((options) => options.enablePerspectiveEvents()))
  .with(
    addServicePerspectives(
      names.map((name, index) => accounts({ name, snapshotEvery: 3 + 4 * index })),
      { pageSize: 20, ...leases },
    ),
  );

if (mode !== undefined) await service.rebuild(names[0] ?? '', { mode });
