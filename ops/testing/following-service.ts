import { Event } from '../../contracts/message.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';

class OrderCreated extends Event {}

/** A separate service that follows the orders of another one. */
export const followingService: ServiceDefinition = {
  name: 'follower',
  create: () => ({
    endpoints: [],
    receptors: [],
    perspectives: [
      {
        name: 'far-orders',
        events: [OrderCreated],
        origin: 'others',
        initial: () => ({ seen: 0 }),
        apply: (model) => ({ seen: (model as { seen: number }).seen + 1 }),
      },
    ],
  }),
};
