import type { SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { QueryModel } from '../model/service-model.js';
import { readConstructor, type FoundClass } from './constructor-dependencies.js';
import { columnsOf, mustNameFields } from './columns.js';
import { readAgent, readOptions } from './read-agent.js';
import { declaredPermission } from './read-permission.js';
import { routeOf } from './read-route.js';
import { mustDeclareOrigin } from './declared-origins.js';
import { nameOf } from './named-classes.js';
import { classesOf, documentationOf, implementsOurs, initializerOf, isAbstract } from './symbols.js';
import type { TypeReader } from './type-reader.js';

export interface FoundPerspective extends FoundClass {
  readonly query: QueryModel | null;
}

/** Every class that implements Perspective, and the queries of those that have a route. */
export function findPerspectives(
  file: ts.SourceFile,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): readonly FoundPerspective[] {
  return classesOf(file).flatMap((declaration) => {
    const args = implementsOurs(declaration, 'perspective', 'Perspective', tree.checker);
    if (args === undefined || isAbstract(declaration)) return [];
    const found = readConstructor(declaration, tree);
    nameOf(declaration, 'perspective', tree.checker, diagnostics);
    mustDeclareLate(declaration, tree, diagnostics);
    mustDeclareOrigin(declaration, tree, diagnostics);
    mustNameFields(initializerOf(declaration, 'columns'), args[0], tree, diagnostics);
    const query = found.model === undefined ? null : queryOf(declaration, args[0], tree, reader, diagnostics);
    refuseUnreachable(declaration, query, diagnostics);
    return [{ ...found, query }];
  });
}

/** A class that inherits either member is checked at its start. */
function mustDeclareLate(declaration: ts.ClassDeclaration, tree: SourceTree, diagnostics: Diagnostics): void {
  const type = tree.checker.getTypeAtLocation(declaration);
  const key = type.getProperty('key');
  if (key === undefined || type.getProperty('late') !== undefined) return;
  diagnostics.error(
    'SVC1040',
    key.valueDeclaration ?? declaration,
    "a perspective with its own key must declare how it handles late events; add readonly late = 'apply' or 'rebuild'",
  );
}

/** Agents read what has a route, with its permission. */
function refuseUnreachable(
  declaration: ts.ClassDeclaration,
  query: QueryModel | null,
  diagnostics: Diagnostics,
): void {
  const agent = query === null ? initializerOf(declaration, 'agent') : undefined;
  if (agent !== undefined)
    diagnostics.error(
      'SVC1084',
      agent,
      'a perspective with agent needs a route; without one nobody reads it',
    );
}

function queryOf(
  declaration: ts.ClassDeclaration,
  row: ts.TypeNode | undefined,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): QueryModel | null {
  const route = initializerOf(declaration, 'route');
  if (route === undefined || row === undefined) return null;
  const path = routeOf(route, 'perspective', tree, diagnostics);
  if (path === undefined) return null;
  const name = declaration.name?.text ?? '';
  const agent = readAgent(initializerOf(declaration, 'agent'), readOptions, diagnostics);
  const site = { node: row, identity: row, path: name, name: `${name}Row` };
  return {
    route: path,
    row: reader.read(tree.checker.getTypeAtLocation(row), site),
    columns: columnsOf(initializerOf(declaration, 'columns'), tree, diagnostics),
    permission: declaredPermission(declaration, tree, diagnostics),
    description: documentationOf(tree.checker.getTypeAtLocation(declaration).getSymbol(), tree.checker),
    ...(agent === undefined ? {} : { agent }),
  };
}
