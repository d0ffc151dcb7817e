import { readNamesOf } from '../../read-names.js';
import type { ts } from '../compiler.js';
import { type Diagnostics, locationOf } from '../diagnostics.js';
import { clientMethod } from '../emit/client-support.js';
import { hasEndpoint } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { FoundPerspective } from './perspectives.js';

/** The names that the query type and the client class have already. */
const reserved = ['service', 'constructor'];

/** The route of a perspective names two fields of the query type and a member of the client. */
export function refuseReadNames(
  commands: readonly FoundCommand[],
  perspectives: readonly FoundPerspective[],
  root: string,
  diagnostics: Diagnostics,
): void {
  const methods = new Map<string, ts.Node>();
  for (const { model, declaration } of commands)
    if (hasEndpoint(model)) methods.set(clientMethod(model), declaration);
  const fields = new Map<string, ts.Node>();
  for (const { query, declaration } of perspectives) {
    if (query === null) continue;
    const { route } = query;
    const refuse = (why: string) => diagnostics.error('SVC1044', declaration, `the route '${route}' ${why}`);
    const names = readNamesOf(route);
    if (names === undefined) {
      refuse('gives no name to its GraphQL field and client method; start it with a letter');
      continue;
    }
    const taken = [names.list, names.one].find((name) => reserved.includes(name));
    if (taken !== undefined) refuse(`gives the name '${taken}', which is reserved; choose another route`);
    const field = [names.list, names.one].find((name) => fields.has(name));
    const other = (field === undefined ? undefined : fields.get(field)) ?? methods.get(names.list);
    if (other !== undefined)
      refuse(
        `gives the name '${field ?? names.list}', which is also that of the ${field === undefined ? 'client method of the command' : 'perspective'} at ${locationOf(other, root)}; choose another route`,
      );
    for (const name of [names.list, names.one]) fields.set(name, declaration);
  }
}
