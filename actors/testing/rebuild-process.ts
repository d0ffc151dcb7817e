import type { RebuildMode } from '../../contracts/perspective.js';
import { addService } from '../../runtime/service.js';
import { postgresEventStore } from '../../runtime/store/event-store-addition.js';
import { addServicePerspectives } from '../perspectives/perspectives.js';
import { addSystemEvents } from '../system-events.js';
import { accounts } from './ledger.js';

/** A host that rebuilds a perspective in the mode it is told, or only runs it. */
const [url = '', mode] = process.argv.slice(2);

const service = addService()
  .with(postgresEventStore({ url }))
  .with(addSystemEvents((options) => options.enablePerspectiveEvents()))
  .with(addServicePerspectives([accounts({ snapshotEvery: 3 })], { pageSize: 20 }));

if (mode !== undefined) await service.rebuild('accounts', { mode: mode as RebuildMode });
