import { fileURLToPath } from 'node:url';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { loadService } from '../service/load-service.js';

export const orders = await loadService(fileURLToPath(new URL('../../examples/orders', import.meta.url)));

/** What its GraphQL schema reads of the process. */
const instanceField = /\n {2}"""[^\n]*"""\n {2}fulfilment\([^\n]*/;

const alone = ({ schema = '', ...registry }: Registry): Registry => ({
  ...registry,
  schema: schema.replace(instanceField, ''),
  processes: [],
  reactions: [],
  schedules: [],
});

/** The orders example without what it does when something happens: every record of its log belongs to a request. */
export const ordersAlone: ServiceDefinition = {
  ...orders,
  create: (dispatcher) => alone(orders.create(dispatcher)),
};
