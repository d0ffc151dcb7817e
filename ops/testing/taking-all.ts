import type { ServiceDefinition } from '../../endpoints/service-definition.js';

/** The same service over the events of every store. */
export const takingAll = (definition: ServiceDefinition): ServiceDefinition => ({
  ...definition,
  create: (dispatcher) => {
    const registry = definition.create(dispatcher);
    const { perspectives = [], reactions = [], processes = [] } = registry;
    return {
      ...registry,
      perspectives: perspectives.map(ofAll),
      reactions: reactions.map(ofAll),
      processes: processes.map(ofAll),
    };
  },
});

/** Inherits everything else: a service may share its perspectives with others. */
const ofAll = <T extends object>(one: T): T =>
  Object.create(one, { origin: { value: 'all', enumerable: true } }) as T;
