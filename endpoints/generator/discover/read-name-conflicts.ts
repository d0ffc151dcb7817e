import { readNamesOf } from '../../read-names.js';
import type { ts } from '../compiler.js';
import { clientMethod } from '../emit/client-support.js';
import { hasEndpoint } from '../model/service-model.js';
import type { Findings } from './file-findings.js';
import type { Reading } from './reading.js';

/** The names that the query type and the client class have already. */
const reserved = ['service', 'constructor'];

/** What a route gives names to. */
export interface ReadRoute {
  readonly route: string;
  readonly declaration: ts.Node;
}

/** The route of a perspective or process names fields of the query type and a member of the client. */
export function refuseReadNames(
  { commands, routes }: Findings,
  reads: readonly ReadRoute[],
  reading: Reading,
): void {
  const methods = new Map<string, ts.Node>();
  for (const { model, declaration } of commands)
    if (hasEndpoint(model)) methods.set(clientMethod(model), declaration);
  for (const { model, declaration } of routes) methods.set(model.name, declaration);
  const fields = new Map<string, ts.Node>();
  for (const { route, declaration } of reads) {
    const names = readNamesOf(route);
    if (names === undefined) {
      const why = `the route '${route}' gives no name to its GraphQL field and client method; start it with a letter`;
      reading.error('SVC1044', declaration, why);
      continue;
    }
    const own = [names.list, names.one];
    const refuse = (name: string, why: string): void =>
      reading.error(
        'SVC1044',
        declaration,
        `the route '${route}' gives the name '${name}', which is ${why}; choose another route`,
      );
    const taken = own.find((one) => reserved.includes(one));
    if (taken !== undefined) refuse(taken, 'reserved');
    const field = own.find((one) => fields.has(one)) ?? '';
    const other = fields.get(field);
    const method = methods.get(names.list);
    if (other !== undefined) refuse(field, `also that of the class at ${reading.locationOf(other)}`);
    else if (method !== undefined)
      refuse(names.list, `also that of the client method at ${reading.locationOf(method)}`);
    for (const name of own) fields.set(name, declaration);
  }
}
