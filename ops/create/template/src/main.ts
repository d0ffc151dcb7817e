import type { ServiceDefinition } from 'svc-runtime';
import { create } from './generated/registry.js';

const service: ServiceDefinition = { name: 'my-service', create: (dispatcher) => create(dispatcher) };

export default service;
