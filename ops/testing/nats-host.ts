import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';

/** Provides a host with its own store and its own connection to a broker. */
export const withNatsHost = (
  definition: ServiceDefinition,
  broker: string,
  body: (host: Host, databaseUrl: string) => Promise<void>,
): Promise<void> =>
  withStore(async (DATABASE_URL) => {
    const env = { SVC_PORT: '0', SVC_NAME: definition.name, SVC_AUDIT: 'all', DATABASE_URL };
    const transport = natsTransport({ url: broker, name: `test-${newUuid()}` });
    const host = await startHost(definition, readConfig(env), transport);
    try {
      await body(host, DATABASE_URL);
    } finally {
      await host.stop();
    }
  });
