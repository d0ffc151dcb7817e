import { fileURLToPath } from 'node:url';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { loadService } from '../service/load-service.js';

export const orders = await loadService(fileURLToPath(new URL('../../examples/orders', import.meta.url)));

/** The orders example without what it does when something happens: every record of its log belongs to a request. */
export const ordersAlone: ServiceDefinition = {
  ...orders,
  create: (dispatcher) => ({ ...orders.create(dispatcher), processes: [], reactions: [], schedules: [] }),
};
