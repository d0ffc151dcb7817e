import type { ChannelModel } from 'amqplib';
import { Problem } from '../../contracts/problems.js';
import { mustBeInstalled } from '../lang/optional-package.js';

const connectMs = 2_500;
const defaultPort = { 'amqp:': '5672', 'amqps:': '5671' };

export const mustHaveAmqpClient = (): void => mustBeInstalled('amqplib', 'The check of an AMQP broker');

/** Opens and closes an AMQP 0-9-1 connection with a channel; rejects with one line that contains no credentials. */
export async function askAmqpBroker(url: string, signal?: AbortSignal): Promise<void> {
  // Loaded on demand: most hosts have no AMQP broker and need not install its client.
  const { connect } = await import('amqplib');
  let connection: ChannelModel;
  try {
    connection = await connect(url, { timeout: connectMs });
  } catch (cause) {
    throw unreachable(url, cause);
  }
  // Without a listener, a broken connection would end the process.
  connection.on('error', () => undefined);
  const close = () => connection.close().catch(() => undefined);
  signal?.addEventListener('abort', () => void close(), { once: true });
  try {
    await (await connection.createChannel()).close();
  } catch (cause) {
    throw unreachable(url, cause);
  } finally {
    await close();
  }
}

function unreachable(url: string, cause: unknown): Problem {
  const { protocol, hostname, port } = new URL(url);
  const at = `${hostname}:${port || defaultPort[protocol as keyof typeof defaultPort] || ''}`;
  const why = cause instanceof Error ? cause : new Error(String(cause));
  const refused = /ACCESS.REFUSED/.test(why.message);
  const reason = refused ? 'refused the login' : `cannot be reached (${codeOf(why)})`;
  return new Problem('transport-unreachable', { detail: `The AMQP broker at ${at} ${reason}.`, cause });
}

const codeOf = (error: Error & { readonly code?: unknown }): string =>
  typeof error.code === 'string' ? error.code : (error.message.split('\n', 1)[0] ?? '');
