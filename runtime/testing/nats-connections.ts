import { connect, type NatsConnection } from 'nats';
import type { Transport } from '../../contracts/transport.js';
import { loginTo } from './nats-login.js';
import { withNatsTransport } from './reachable.js';
import { withNats } from './shared-nats.js';

/** A transport to the shared broker. */
export const withTransport = (body: (transport: Transport, url: string) => Promise<void>): Promise<void> =>
  withNats((url) => withNatsTransport(url, (transport) => body(transport, url)));

/** A connection of the broker's own client, as operators have it. */
export async function withOperator(
  url: string,
  body: (operator: NatsConnection) => Promise<void>,
): Promise<void> {
  const operator = await connect(loginTo(url));
  try {
    await body(operator);
  } finally {
    await operator.close();
  }
}
