import { fileURLToPath } from 'node:url';
import { loadApplication } from '../../application.js';
import { readConfig } from '../../config.js';
import { startHost } from '../../host.js';

/** The orders example as `svc start` runs it, with the audit that it is told. */
const [databaseUrl = '', audit = 'all'] = process.argv.slice(2);
const orders = fileURLToPath(new URL('../../../../examples/orders', import.meta.url));
const config = readConfig({
  SVC_PORT: '0',
  SVC_NAME: 'bench',
  SVC_LOG: 'error',
  SVC_AUDIT: audit,
  DATABASE_URL: databaseUrl,
});
const host = await startHost(await loadApplication(orders), config);
process.once('SIGTERM', () => {
  void host.stop().then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ port: Number(new URL(host.url).port) })}\n`);
