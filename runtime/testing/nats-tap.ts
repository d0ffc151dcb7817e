import { connect } from 'nats';
import { loginTo } from './nats-login.js';

/** A message as anyone on the broker can see it. */
export interface TappedMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** Names and values, one per line. */
  readonly headers: string;
  readonly id: string | undefined;
  readonly at: number;
  /** Whether the broker delivers it to a subscriber; otherwise it was published. */
  readonly isDelivery: boolean;
}

/** Captures every message that crosses the broker while the body runs, including JetStream's own. */
export async function withNatsTap(
  url: string,
  body: (tapped: readonly TappedMessage[]) => Promise<void>,
): Promise<void> {
  const connection = await connect(loginTo(url));
  const tapped: TappedMessage[] = [];
  connection.subscribe('>', {
    callback: (_, { subject, data, headers, reply }) => {
      const id = headers?.get('Nats-Msg-Id');
      tapped.push({
        subject,
        bytes: data,
        headers: Array.from(headers ?? [], ([name, values]) => `${name}: ${values.join()}`).join('\n'),
        id: id === '' ? undefined : id,
        at: performance.now(),
        isDelivery: reply?.startsWith('$JS.ACK.') === true,
      });
    },
  });
  await connection.flush();
  try {
    await body(tapped);
  } finally {
    await connection.close();
  }
}
