import { readConfig } from '../../config/config.js';
import { startHost } from '../../host/host.js';
import { withSchema } from '../../testing/live-model.js';
import { liveNotes } from '../../testing/live-notes.js';

const [databaseUrl = ''] = process.argv.slice(2);
const host = await startHost(withSchema(liveNotes), readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl }));
process.stdout.write(`${JSON.stringify({ url: host.url })}\n`);
