import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { serveFolding } from '../../runtime/perspectives/rebuild/fold-thread.js';
import { loadService } from '../service/load-service.js';

/** A thread of a rebuild: loads the application again, for its perspectives only. */
const [app = ''] = process.argv.slice(2);
const definition = await loadService(app);
const { perspectives } = definition.create(new LocalDispatcher());
await serveFolding(perspectives ?? []);
