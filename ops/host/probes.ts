import type { CommandLoad } from '../../actors/commands/dispatcher.js';
import { longestTenants } from '../../actors/commands/waiting-commands.js';
import type { Access } from '../../endpoints/access/access.js';
import type { RouteAddition } from '../../endpoints/routes/http-server.js';
import { healthAccess, healthRoutes, type ProbedBoard } from '../../endpoints/routes/health.js';
import type { Service } from '../../runtime/service/service.js';

interface ProbedParts {
  readonly board: ProbedBoard;
  readonly service: Service;
  readonly dispatcher: { readonly loads: readonly CommandLoad[] };
}

/** Where the host answers how it is, and which tenants have commands waiting. */
export const probesOf = (
  { board, service, dispatcher }: ProbedParts,
  name: string,
  pages: Access,
): RouteAddition =>
  healthRoutes(name, board, service.parts.health.paths, healthAccess(pages), () =>
    longestTenants(dispatcher.loads),
  );
