import { posix } from 'node:path';
import { type SourceTree, ts } from '../compiler.js';
import { type Diagnostics, placeOf } from '../diagnostics.js';
import type { ConstructedModel } from '../model.js';
import { endpointFile } from '../paths.js';
import type { FoundCommand } from './commands.js';
import type { Dependencies } from './constructed.js';
import { classesOf, exportedFrom, heritage, pathOf } from './symbols.js';

/**
 * The user's subclasses of generated endpoints, by command. The generated class may not exist yet, so the import is
 * followed by its path and not by the checker.
 */
export function findEndpoints(
  tree: SourceTree,
  commands: readonly FoundCommand[],
  dependencies: Dependencies,
  diagnostics: Diagnostics,
): ReadonlyMap<string, ConstructedModel> {
  const byBase = new Map(
    commands.map(({ model }) => [`${endpointFile(model)}#${model.name}Endpoint`, model.name]),
  );
  const found = new Map<string, ConstructedModel>();
  const places = new Map<string, ts.Node>();
  for (const declaration of classesOf(tree)) {
    const command = byBase.get(baseOf(declaration, tree) ?? '');
    if (command === undefined) continue;
    const exported = exportedFrom(declaration, tree);
    if (exported === undefined) {
      diagnostics.error(
        'SVC1025',
        declaration,
        `the endpoint of ${command} must be exported: the registry constructs it`,
      );
      continue;
    }
    const other = places.get(command);
    if (other !== undefined) {
      diagnostics.error(
        'SVC1011',
        declaration,
        `${command} has another endpoint at ${placeOf(other, tree.root)}; keep one`,
      );
    }
    places.set(command, declaration);
    const { parameters } = dependencies.constructed(exported, declaration);
    const hasOwn = declaration.members.some(ts.isConstructorDeclaration);
    found.set(command, { ...exported, parameters: hasOwn ? parameters : ['dispatcher'] });
  }
  return found;
}

/** `generated/cancel-order.endpoint#CancelOrderEndpoint` */
function baseOf(declaration: ts.ClassDeclaration, tree: SourceTree): string | undefined {
  const expression = heritage(declaration, ts.SyntaxKind.ExtendsKeyword)[0]?.expression;
  if (expression === undefined) return undefined;
  const local = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
  if (!ts.isIdentifier(local)) return undefined;
  const file = declaration.getSourceFile();
  for (const statement of file.statements.filter(ts.isImportDeclaration)) {
    const { moduleSpecifier, importClause } = statement;
    const imported = importedName(importClause, local.text);
    if (imported === undefined || !ts.isStringLiteral(moduleSpecifier)) continue;
    const path = posix.join(
      posix.dirname(pathOf(file, tree.root)),
      moduleSpecifier.text.replace(/\.[cm]?js$/, ''),
    );
    const name =
      imported === '*' && ts.isPropertyAccessExpression(expression) ? expression.name.text : imported;
    return `${path}#${name}`;
  }
  return undefined;
}

function importedName(clause: ts.ImportClause | undefined, local: string): string | undefined {
  const bindings = clause?.namedBindings;
  if (bindings === undefined) return undefined;
  if (ts.isNamespaceImport(bindings)) return bindings.name.text === local ? '*' : undefined;
  const specifier = bindings.elements.find((element) => element.name.text === local);
  return specifier === undefined ? undefined : (specifier.propertyName ?? specifier.name).text;
}
