import { withStore } from '../../runtime/testing/migrated-database.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { monitorHost } from '../monitor/monitor.js';

/** A monitor with a console, and the way to its own database. */
export const withMonitor = (
  nats: string,
  body: (host: Host, database: NetworkProxy) => Promise<void>,
): Promise<void> =>
  withStore((url) =>
    withProxy(url, async (database) => {
      const config = readConfig({
        SVC_PORT: '0',
        SVC_NAME: 'monitor',
        DATABASE_URL: database.url,
        NATS_URL: nats,
        SVC_BROADCAST: '1',
        SVC_INSPECT: '1',
        SVC_LOG: 'error',
      });
      const { definition, hostOptions: extras } = monitorHost({
        name: 'monitor',
        filter: {},
        show: () => undefined,
      });
      const host = await startHost(definition, config, undefined, extras);
      try {
        await body(host, database);
      } finally {
        await host.stop();
      }
    }),
  );
