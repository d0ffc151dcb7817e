import { ts } from '../compiler.js';
import { clientMethod } from '../emit/client-support.js';
import { parametersIn, placeOf } from '../model/own-route-fields.js';
import { propertiesOf } from '../model/properties.js';
import { hasEndpoint, type OwnRouteModel, type TypeModel } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import { optionOf, textOf } from './literals.js';
import { hostRoutes } from './read-endpoint-options.js';
import { readPermission } from './read-permission.js';
import type { Reading } from './reading.js';
import { callsIn, documentationOf, exportedFrom, symbolAt } from './symbols.js';
import { mayBeUndefined, type TypeReader } from './type-reader.js';
import { capital } from './type-reading-context.js';

export interface FoundOwnRoute {
  readonly model: OwnRouteModel;
  readonly declaration: ts.VariableDeclaration;
}

/** Every exported constant that `ownRoute` returned. */
export const findOwnRoutes = (file: ts.SourceFile, reader: TypeReader): readonly FoundOwnRoute[] =>
  callsIn(file, 'endpoints/own-route', 'ownRoute', reader.checker).flatMap((call) => readRoute(call, reader));

function readRoute(call: ts.CallExpression, reader: TypeReader): readonly FoundOwnRoute[] {
  const declaration = call.parent;
  const exported = ts.isVariableDeclaration(declaration) ? exportedFrom(declaration, reader.tree) : undefined;
  if (!ts.isVariableDeclaration(declaration) || exported === undefined) {
    reader.error('SVC1080', call, 'write export const name = ownRoute<…>(…): the registry imports it');
    return [];
  }
  const [options] = call.arguments;
  const [request, response] = call.typeArguments ?? [];
  if (request === undefined || response === undefined || !options || !ts.isObjectLiteralExpression(options)) {
    const why = `write ownRoute<TheRequest, TheResponse>({ … }), with both types and an object literal; void means nothing`;
    reader.error('SVC1080', call, why);
    return [];
  }
  const method = literalOf(options, 'method', reader.checker);
  const path = literalOf(options, 'path', reader.checker);
  if (!isMethod(method) || path === undefined || !pathPattern.test(path) || hostRoutes.test(path)) {
    const why = `write the method in capitals and a path of your own, such as method: 'POST', path: '/parcels/:id/scan'`;
    reader.error('SVC1080', options, why);
    return [];
  }
  const permission = optionOf(options, 'permission');
  const { name } = exported;
  const answer = typeOf(response, `${capital(name)}Response`, reader);
  const model: OwnRouteModel = {
    ...exported,
    method,
    path,
    request: requestOf(request, { name, method, path }, reader),
    result: answer,
    resultName: answer?.kind === 'ref' ? answer.name : `${capital(name)}Response`,
    description: documentationOf(symbolAt(declaration.name, reader.checker), reader.checker),
    permission: permission && readPermission(permission, reader),
  };
  return [{ model, declaration }];
}

const methods: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const isMethod = (text: string | undefined): text is OwnRouteModel['method'] => methods.includes(text);
const pathPattern = /^(?:\/(?::[A-Za-z_]\w*|[A-Za-z0-9\-._~]+))+$/;

function literalOf(options: ts.ObjectLiteralExpression, name: string, checker: ts.TypeChecker) {
  const written = optionOf(options, name);
  return written && textOf(written, checker);
}

/** null: void. */
function typeOf(node: ts.TypeNode, name: string, reader: TypeReader): TypeModel | null {
  const type = reader.checker.getTypeAtLocation(node);
  if ((type.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) !== 0) return null;
  const site = { node, identity: node, path: name, name };
  if (mayBeUndefined(type)) return reader.refuse(site, 'may be undefined; use null, or void for nothing');
  return reader.read(type, site);
}

/** The request is one object; what comes from the URL has the form of a text. */
function requestOf(
  node: ts.TypeNode,
  { name, method, path }: Pick<OwnRouteModel, 'name' | 'method' | 'path'>,
  reader: TypeReader,
): string | null {
  const model = typeOf(node, `${capital(name)}Request`, reader);
  const named = model?.kind === 'ref' ? reader.types.get(model.name) : undefined;
  if (model !== null && named?.type.kind !== 'object') {
    reader.error('SVC1081', node, 'the request of a route must be an object, or void');
    return null;
  }
  const fields = propertiesOf(reader.types, named?.name ?? '');
  const unknown = parametersIn(path).find((parameter) => !fields.some((field) => field.name === parameter));
  if (unknown !== undefined)
    reader.error('SVC1081', node, `the path has :${unknown}, but the request has no field of this name`);
  for (const { name: field, type } of fields)
    if (placeOf({ method, path }, field) !== 'body' && !isText(type, reader))
      reader.error('SVC1081', node, `the field '${field}' is in the URL, and must be ${inUrl}`);
  return named?.name ?? null;
}

const inUrl = 'a text, a number or a boolean';

function isText(type: TypeModel, reader: TypeReader): boolean {
  if (type.kind === 'ref') return reader.types.get(type.name)?.type.kind === 'enum';
  return !['array', 'map', 'json', 'nullable'].includes(type.kind);
}

/** Two routes must not have one address, nor one method of the client. */
export function refuseTakenRoutes(
  routes: readonly FoundOwnRoute[],
  commands: readonly FoundCommand[],
  reading: Reading,
): void {
  const taken = new Map<string, ts.Node>();
  for (const { model, declaration } of commands.filter((one) => hasEndpoint(one.model))) {
    taken.set(clientMethod(model), declaration);
    if (model.restRoute !== null) taken.set(`POST ${model.restRoute}`, declaration);
  }
  for (const { model, declaration } of routes) {
    const keys = [model.name, `${model.method} ${model.path.replaceAll(/:\w+/g, ':')}`];
    const key = keys.find((one) => taken.has(one) || one === 'constructor');
    const other = taken.get(key ?? '') ?? declaration;
    if (key !== undefined) {
      const why = `'${key}' of ${model.name} is also at ${reading.locationOf(other)}; choose another`;
      reading.error('SVC1082', declaration, why);
    }
    for (const one of keys) taken.set(one, declaration);
  }
}
