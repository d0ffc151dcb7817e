import type { ServiceDefinition } from 'svc-runtime';
import { create } from './generated/registry.js';

const shop: ServiceDefinition = { name: 'shop', create: (dispatcher) => create(dispatcher) };

export default shop;
