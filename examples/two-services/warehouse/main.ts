import type { ServiceDefinition } from 'svc-runtime';
import { create } from './generated/registry.js';

const warehouse: ServiceDefinition = { name: 'warehouse', create: (dispatcher) => create(dispatcher) };

export default warehouse;
