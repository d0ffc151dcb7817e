import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';

export const startAt = (
  definition: ServiceDefinition,
  store: string,
  NATS_URL: string,
  namespace: string,
): Promise<Host> =>
  startHost(
    definition,
    readConfig({ SVC_PORT: '0', DATABASE_URL: store, NATS_URL, SVC_NAMESPACE: namespace }),
  );
