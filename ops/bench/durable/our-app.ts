import { readConfig } from '../../config/config.js';
import { startHost } from '../../host/host.js';
import { ordersFor } from './our-orders.js';

/** A host on the package, as `svc start` runs it. It returns the times it has taken when asked. */
const [port = '', databaseUrl = ''] = process.argv.slice(2);
const times: number[] = [];
await startHost(
  ordersFor((ms) => times.push(ms)),
  readConfig({ SVC_PORT: port, SVC_INSPECT: '0', DATABASE_URL: databaseUrl }),
);
process.on('message', () => process.send?.(times.splice(0)));
process.send?.('ready');
