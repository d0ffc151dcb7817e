import type { Child, Running } from '../../actors/supervisor/child.js';
import type { HttpServer } from '../../endpoints/routes/http-server.js';
import { log } from '../../runtime/logging/log.js';

interface Listening extends Running {
  readonly url: string;
}

interface Address {
  readonly bind: string;
  /** 0: any free port. */
  readonly port: number;
  /** The port on which the host answered while it started. */
  readonly startedAt: number;
}

/** The HTTP server as a child of its host; after a crash it listens at the same address again. */
export function supervisedHttpServer(
  { bind, port, startedAt }: Address,
  create: () => HttpServer,
): Child<Listening> {
  let listeningPort = startedAt;
  const listenAt = async (wanted: number) => {
    const server = create();
    return { server, url: await server.listen(wanted, bind) };
  };
  const listen = async () => {
    try {
      return await listenAt(listeningPort);
    } catch (error) {
      // Between two servers of this host, another process may take a port that nobody has asked for.
      if (port === listeningPort || !isInUse(error)) throw error;
      return listenAt(port);
    }
  };
  return {
    name: 'http',
    start: async (crashed) => {
      const { server, url } = await listen();
      listeningPort = Number(new URL(url).port);
      server.app.server.on('error', (error: NodeJS.ErrnoException) => {
        // A connection that could not be accepted is no reason to close the others.
        if (error.syscall === 'accept') log.warn({ err: error }, 'a connection was not accepted');
        else crashed(error);
      });
      return { url, stop: () => server.drain() };
    },
  };
}

const isInUse = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
