import type { ServiceDefinition } from 'svc-runtime';
import { create } from './generated/registry.js';
import { routes } from './routes.js';

const helpdesk: ServiceDefinition = {
  name: 'helpdesk',
  create: (dispatcher) => create(dispatcher),
  routes,
};

export default helpdesk;
