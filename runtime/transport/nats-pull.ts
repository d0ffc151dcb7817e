import { createInbox, type Msg, type NatsConnection, nanos } from 'nats';
import { Problem } from '../../contracts/problems.js';
import { headersIn } from './nats-headers.js';

const maxMessages = 256;
const minBytes = 16 * 1024 * 1024;
const expiresMs = 2_000;
const answerMs = expiresMs + 2_000;

/** No messages; timeout; the next message does not fit into this batch. */
const ordinaryEnds = [/^404 /, /^408 /, /^409 Message Size Exceeds MaxBytes/i];

interface Pull {
  readonly stream: string;
  readonly durable: string;
  /** The broker must not send any later: another subscriber may then receive what follows. */
  readonly withinMs?: number;
}

/** The messages available now, or the first to arrive; empty after the timeout. Rejects when the consumer does not respond. */
export function pullBatch(
  connection: NatsConnection,
  { stream, durable, withinMs = expiresMs }: Pull,
  signal: AbortSignal,
): Promise<Msg[]> {
  return new Promise((resolve, reject) => {
    const inbox = createInbox();
    const batch: Msg[] = [];
    const end = (failure?: string) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      subscription.unsubscribe();
      if (failure === undefined || batch.length > 0) resolve(batch);
      else reject(new Problem('transport-unreachable', { detail: failure }));
    };
    const leave = () => end();
    const subscription = connection.subscribe(inbox, {
      callback: (_, message) => {
        const status = statusOf(message);
        if (status !== undefined)
          return end(ordinaryEnds.some((one) => one.test(status)) ? undefined : status);
        if (batch.push(message) === maxMessages) end();
      },
    });
    const timer = setTimeout(() => end(`The consumer ${durable} does not respond.`), answerMs);
    void subscription.closed.then(() => end('The connection is closed.'));
    signal.addEventListener('abort', leave);
    const pullRequest = JSON.stringify({
      batch: maxMessages,
      max_bytes: Math.max(minBytes, 2 * (connection.info?.max_payload ?? 0)),
      no_wait: true,
      expires: nanos(Math.min(expiresMs, Math.ceil(withinMs))),
    });
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, pullRequest, { reply: inbox });
  });
}

/** A stream message has a reply subject and may have any headers; a status has neither body nor reply subject. */
function statusOf(message: Msg): string | undefined {
  const { data, reply } = message;
  const headers = headersIn(message);
  if (headers === undefined || headers.code === 0 || data.length > 0) return undefined;
  return reply === undefined || reply === '' ? `${headers.code} ${headers.description}` : undefined;
}

/** How often the broker has delivered it, this time included. */
export const deliveryOf = (message: Msg): number => ackToken(message, 0) || 1;

/** Its sequence in the stream of the broker. */
export const sequenceOf = (message: Msg): number => ackToken(message, 1);

/** The reply subject encodes the delivery; newer brokers prepend two tokens. */
function ackToken({ reply = '' }: Msg, index: number): number {
  const tokens = reply.split('.');
  return Number(tokens[(tokens.length < 11 ? 4 : 6) + index]) || 0;
}
