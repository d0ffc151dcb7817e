import type { Child, Running } from '../../actors/supervisor/child.js';
import type { HttpServer } from '../../endpoints/routes/server.js';
import { log } from '../../runtime/log.js';

interface Listening extends Running {
  readonly url: string;
}

interface Address {
  readonly port: number;
  readonly bind: string;
}

/** The HTTP server as a child of its host; after a crash it listens at the same address again. */
export function supervisedHttpServer({ port, bind }: Address, create: () => HttpServer): Child<Listening> {
  let listeningPort = port;
  return {
    name: 'http',
    start: async (crashed) => {
      const server = create();
      const url = await server.listen(listeningPort, bind);
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
