import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import { readConfig } from '../../config.js';
import { startHost } from '../../host/host.js';
import { liveNotes } from '../../testing/live-notes.js';
import { reserveStock, shopEvents, shopReceptors } from './shop.js';

const shop: ServiceDefinition = {
  name: 'shop',
  create: (dispatcher) => {
    const { endpoints, receptors, events = [] } = liveNotes.create(dispatcher);
    return {
      endpoints,
      receptors: [...receptors, ...shopReceptors],
      reactions: [reserveStock],
      events: [...events, ...shopEvents],
    };
  },
};

const [databaseUrl = ''] = process.argv.slice(2);
const host = await startHost(shop, readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl }));
process.stdout.write(`${JSON.stringify({ url: host.url })}\n`);
