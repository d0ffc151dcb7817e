import { randomBytes } from 'node:crypto';
import { readConfig } from '../../config/config.js';
import { startHost } from '../../host/host.js';
import { loadService } from '../../service/load-service.js';

/** A service in a folder, with all that it has. */
const [databaseUrl = '', dir = ''] = process.argv.slice(2);
const config = readConfig({
  SVC_PORT: '0',
  SVC_LOG: 'error',
  SVC_INSPECT: '0',
  SVC_AUTH: 'api-key',
  DATABASE_URL: databaseUrl,
  SVC_MASTER_KEY: randomBytes(32).toString('base64'),
});
const host = await startHost(await loadService(dir), config);
process.once('SIGTERM', () => {
  void host.stop().then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ url: host.url })}\n`);
