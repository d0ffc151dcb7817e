import { serveFolding } from '../../runtime/perspectives/fold-thread.js';
import { loadApplication } from '../application.js';
import { assembled } from './late-dispatcher.js';

/** A thread of a rebuild: it loads the application once more, for its perspectives alone. */
const [app = ''] = process.argv.slice(2);
const { registry } = assembled(await loadApplication(app));
await serveFolding(registry.perspectives ?? []);
