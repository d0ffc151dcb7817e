import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { serveFolding } from '../../runtime/perspectives/fold-thread.js';
import { loadApplication } from '../application.js';

/** A thread of a rebuild: it loads the application once more, for its perspectives alone. */
const [app = ''] = process.argv.slice(2);
const definition = await loadApplication(app);
const { perspectives } = definition.create(new LocalDispatcher());
await serveFolding(perspectives ?? []);
