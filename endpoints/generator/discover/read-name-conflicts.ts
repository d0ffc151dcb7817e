import { readNamesOf } from '../../read-names.js';
import type { ts } from '../compiler.js';
import { type Diagnostics, locationOf } from '../diagnostics.js';
import { clientMethod } from '../emit/client-support.js';
import { hasEndpoint } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { FoundOwnRoute } from './own-routes.js';
import type { FoundPerspective } from './perspectives.js';

/** The names that the query type and the client class have already. */
const reserved = ['service', 'constructor'];

/** What a route gives names to. */
export interface ReadRoute {
  readonly route: string;
  readonly declaration: ts.Node;
}

export const routesOf = (perspectives: readonly FoundPerspective[]): readonly ReadRoute[] =>
  perspectives.flatMap(({ query, declaration }) =>
    query === null ? [] : [{ route: query.route, declaration }],
  );

/** The route of a perspective or process names fields of the query type and a member of the client. */
export function refuseReadNames(
  {
    commands,
    routes,
  }: { readonly commands: readonly FoundCommand[]; readonly routes: readonly FoundOwnRoute[] },
  reads: readonly ReadRoute[],
  root: string,
  diagnostics: Diagnostics,
): void {
  const methods = new Map<string, ts.Node>();
  for (const { model, declaration } of commands)
    if (hasEndpoint(model)) methods.set(clientMethod(model), declaration);
  for (const { model, declaration } of routes) methods.set(model.name, declaration);
  const fields = new Map<string, ts.Node>();
  for (const { route, declaration } of reads) {
    const names = readNamesOf(route);
    if (names === undefined) {
      diagnostics.error(
        'SVC1044',
        declaration,
        `the route '${route}' gives no name to its GraphQL field and client method; start it with a letter`,
      );
      continue;
    }
    const own = [names.list, names.one];
    refuseTaken(declaration, route, own, { fields, methods, root, diagnostics });
    for (const name of own) fields.set(name, declaration);
  }
}

interface TakenNames {
  readonly fields: ReadonlyMap<string, ts.Node>;
  readonly methods: ReadonlyMap<string, ts.Node>;
  readonly root: string;
  readonly diagnostics: Diagnostics;
}

function refuseTaken(
  declaration: ts.Node,
  route: string,
  own: readonly string[],
  { fields, methods, root, diagnostics }: TakenNames,
): void {
  const [list = ''] = own;
  const name = own.find((one) => reserved.includes(one));
  if (name !== undefined)
    diagnostics.error(
      'SVC1044',
      declaration,
      `the route '${route}' gives the name '${name}', which is reserved; choose another route`,
    );
  const field = own.find((one) => fields.has(one));
  const other = fields.get(field ?? '');
  const method = methods.get(list);
  if (other !== undefined)
    diagnostics.error(
      'SVC1044',
      declaration,
      `the route '${route}' gives the name '${field}', which is also that of the class at ${locationOf(other, root)}; choose another route`,
    );
  else if (method !== undefined)
    diagnostics.error(
      'SVC1044',
      declaration,
      `the route '${route}' gives the name '${list}', which is also that of the client method at ${locationOf(method, root)}; choose another route`,
    );
}
