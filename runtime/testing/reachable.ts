import type { Transport } from '../../contracts/transport.js';
import { natsTransport } from '../transport/nats-transport.js';
import { until } from '../kit/until.js';

/** Whether the broker responds right now. */
export const isReachable = (transport: Transport): Promise<boolean> =>
  transport.ping().then(
    () => true,
    () => false,
  );

/** A transport that has reached the broker; it closes after the body. */
export async function withNatsTransport(
  url: string,
  body: (transport: Transport) => Promise<void>,
): Promise<void> {
  const transport = natsTransport({ url, name: 'north' });
  try {
    await until(() => isReachable(transport));
    await body(transport);
  } finally {
    await transport.close();
  }
}
