import { createServer } from 'node:net';
import type { StartupServer } from '../../endpoints/routes/startup-server.js';
import { log } from '../../runtime/logging/log.js';

/** For a shorter time no answer is missed, and the address stays free for the server itself. */
const startAfterMs = 200;

interface Address {
  readonly port: number;
  readonly bind: string;
}

/** Answers probes at the address while a long task runs; returns the port, so that it stays the same afterwards. */
export async function withStartupServer<T>(
  { port, bind }: Address,
  create: () => StartupServer,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly port: number }> {
  let opening: Promise<Opened | undefined> = Promise.resolve(undefined);
  const timer = setTimeout(() => void (opening = open(create(), port, bind)), startAfterMs);
  try {
    const result = await work();
    clearTimeout(timer);
    return { result, port: (await opening)?.port ?? port };
  } finally {
    clearTimeout(timer);
    await (await opening)?.server.close();
  }
}

/** Check before anything changes: a host that cannot listen would have migrated for nothing. */
export async function portMustBeFree({ port, bind }: Address): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bind, () => server.close(() => resolve()));
  });
}

interface Opened {
  readonly server: StartupServer;
  readonly port: number;
}

/** An address in use is reported when the server itself needs it. */
async function open(server: StartupServer, port: number, bind: string): Promise<Opened | undefined> {
  try {
    const url = await server.listen(port, bind);
    log.info({ url }, 'migrating');
    return { server, port: Number(new URL(url).port) };
  } catch (err) {
    log.warn({ err }, 'probes are not answered during the migration');
    return undefined;
  }
}
