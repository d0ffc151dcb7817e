import type { Access } from '../../endpoints/access/access.js';
import type { RouteAddition } from '../../endpoints/routes/http-server.js';
import type { Config } from '../config/config.js';
import type { ConsoleSource } from './model/console-source.js';
import { consoleFiles } from './server/page-files.js';
import { consoleRoutes } from './server/routes.js';
import { type HostParts, singleHostSource, type OwnHost, ownHost } from './sources/host/own-host.js';

interface ConsoleOfHost {
  readonly routes: readonly RouteAddition[];
  close(): void;
}

/** The console of one host, or of all hosts it knows; undefined if watching is disabled. */
export function consoleOf(
  parts: HostParts,
  config: Config,
  access: Access,
  sourceFor: (own: OwnHost) => ConsoleSource = singleHostSource,
): ConsoleOfHost {
  if (!config.inspect) return { routes: [], close: () => undefined };
  const own = ownHost(parts, config);
  const source = sourceFor(own);
  const { add, close } = consoleRoutes(source, consoleFiles(), access);
  return {
    routes: [add],
    close: () => {
      own.stop();
      close();
    },
  };
}
