import type { ts } from '../compiler.js';
import type { QueryModel } from '../model/service-model.js';
import { readConstructor, type FoundClass } from './constructor-dependencies.js';
import { columnsOf, mustNameFields } from './columns.js';
import { readAgent, readOptions } from './read-agent.js';
import { declaredPermission } from './read-permission.js';
import { routeOf } from './read-route.js';
import type { Reading } from './reading.js';
import { mustDeclareOrigin } from './declared-origins.js';
import { nameOf } from './named-classes.js';
import { classesOf, documentationOf, implementsOurs, initializerOf, isAbstract } from './symbols.js';
import type { TypeReader } from './type-reader.js';

export interface FoundPerspective extends FoundClass {
  readonly query: QueryModel | null;
}

/** Every class that implements Perspective, and the queries of those that have a route. */
export function findPerspectives(file: ts.SourceFile, reader: TypeReader): readonly FoundPerspective[] {
  return classesOf(file).flatMap((declaration) => {
    const args = implementsOurs(declaration, 'perspective', 'Perspective', reader.checker);
    if (args === undefined || isAbstract(declaration)) return [];
    const found = readConstructor(declaration, reader.tree);
    nameOf(declaration, 'perspective', reader);
    mustDeclareLate(declaration, reader);
    mustDeclareOrigin(declaration, reader);
    mustNameFields(initializerOf(declaration, 'columns'), args[0], reader);
    const query = found.model === undefined ? null : queryOf(declaration, args[0], reader);
    refuseUnreachable(declaration, query, reader);
    return [{ ...found, query }];
  });
}

/** A class that inherits either member is checked at its start. */
function mustDeclareLate(declaration: ts.ClassDeclaration, reading: Reading): void {
  const type = reading.checker.getTypeAtLocation(declaration);
  const key = type.getProperty('key');
  if (key === undefined || type.getProperty('late') !== undefined) return;
  const why =
    "a perspective with its own key must declare how it handles late events; add readonly late = 'apply' or 'rebuild'";
  reading.error('SVC1040', key.valueDeclaration ?? declaration, why);
}

/** Agents read what has a route, with its permission. */
function refuseUnreachable(
  declaration: ts.ClassDeclaration,
  query: QueryModel | null,
  reading: Reading,
): void {
  const agent = query === null ? initializerOf(declaration, 'agent') : undefined;
  if (agent !== undefined)
    reading.error('SVC1084', agent, 'a perspective with agent needs a route; without one nobody reads it');
}

function queryOf(
  declaration: ts.ClassDeclaration,
  row: ts.TypeNode | undefined,
  reader: TypeReader,
): QueryModel | null {
  const route = initializerOf(declaration, 'route');
  if (route === undefined || row === undefined) return null;
  const path = routeOf(route, 'perspective', reader);
  if (path === undefined) return null;
  const name = declaration.name?.text ?? '';
  const agent = readAgent(initializerOf(declaration, 'agent'), readOptions, reader);
  const site = { node: row, identity: row, path: name, name: `${name}Row` };
  return {
    route: path,
    row: reader.read(reader.checker.getTypeAtLocation(row), site),
    columns: columnsOf(initializerOf(declaration, 'columns'), reader),
    permission: declaredPermission(declaration, reader),
    description: documentationOf(reader.checker.getTypeAtLocation(declaration).getSymbol(), reader.checker),
    ...(agent === undefined ? {} : { agent }),
  };
}
