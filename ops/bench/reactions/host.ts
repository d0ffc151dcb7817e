import { type Decode, invalid, object } from '../../../contracts/codec.js';
import { CommandEndpoint } from '../../../contracts/command-endpoint.js';
import { Command } from '../../../contracts/message.js';
import { newUuid } from '../../../contracts/uuid.js';
import { endpoint, receptor } from '../../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../../endpoints/testing/hooked-endpoint.js';
import { readConfig } from '../../config/config.js';
import { startHost } from '../../host/host.js';
import { liveNotes } from '../../testing/live-notes.js';
import { Reserve, reserveStock, shopEvents, shopReceptors } from './shop.js';

/** Sends the commands that reactions send, from the same process. */
@CommandEndpoint<ReserveAll, unknown>({ restRoute: '/reserve-all' })
class ReserveAll extends Command {
  round!: string;
  count!: number;
  inFlight!: number;
}

const decode: Decode<ReserveAll> = (value, path, faults) => {
  const from = object(value, path, faults);
  return from === undefined ? invalid : Object.assign(new ReserveAll(), from);
};

const shop: ServiceDefinition = {
  name: 'shop',
  create: (dispatcher) => {
    const { endpoints, receptors, events = [] } = liveNotes.create(dispatcher);
    const reserveAll = async ({ round, count, inFlight }: ReserveAll): Promise<object> => {
      let left = count;
      const caller = async (): Promise<void> => {
        while (left-- > 0)
          await dispatcher.localInvoke(Reserve.of({ orderId: newUuid(), round, item: 'sound' }));
      };
      await Promise.all(Array.from({ length: inFlight }, caller));
      return {};
    };
    return {
      endpoints: [
        ...endpoints,
        endpoint({ command: ReserveAll, endpoint: new HookedEndpoint(dispatcher, {}), decode }),
      ],
      receptors: [...receptors, ...shopReceptors, receptor(ReserveAll, { handle: reserveAll })],
      reactions: [reserveStock],
      events: [...events, ...shopEvents],
    };
  },
};

const [databaseUrl = ''] = process.argv.slice(2);
const host = await startHost(shop, readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl }));
process.stdout.write(`${JSON.stringify({ url: host.url })}\n`);
