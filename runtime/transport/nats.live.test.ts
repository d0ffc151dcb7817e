import type { Transport } from '../../contracts/transport.js';
import { withNats } from '../testing/nats-server.js';
import { transportContract, until } from '../testing/transport-contract.js';
import { natsTransport } from './nats.js';

const withTransport = (body: (transport: Transport) => Promise<void>): Promise<void> =>
  withNats(async (url) => {
    const transport = natsTransport({ url, name: 'contract' });
    try {
      await until(() => isReachable(transport));
      await body(transport);
    } finally {
      await transport.close();
    }
  });

const isReachable = (transport: Transport): Promise<boolean> =>
  transport.ping().then(
    () => true,
    () => false,
  );

transportContract('nats transport', withTransport);
