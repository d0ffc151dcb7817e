import { connect } from 'nats';

/** A message as anybody on the broker can hear it. */
export interface TappedMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly id: string | undefined;
  readonly at: number;
  /** Whether the broker brings it to a subscriber, and not somebody to the broker. */
  readonly isDelivery: boolean;
}

/** Hears every byte that crosses the broker while the body runs, its own administration included. */
export async function withNatsTap(
  url: string,
  body: (tapped: readonly TappedMessage[]) => Promise<void>,
): Promise<void> {
  const connection = await connect({ servers: new URL(url).host });
  const tapped: TappedMessage[] = [];
  connection.subscribe('>', {
    callback: (_, { subject, data, headers, reply }) => {
      const id = headers?.get('Nats-Msg-Id');
      tapped.push({
        subject,
        bytes: data,
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
