import type { ServiceDefinition } from 'svc-runtime';
import { create } from './generated/registry.js';

const orders: ServiceDefinition = { name: 'orders', create: (dispatcher) => create(dispatcher) };

export default orders;
