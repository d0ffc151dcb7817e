import { posix } from 'node:path';
import { type SourceTree, ts } from '../compiler.js';
import { readConstructor, type FoundClass } from './constructor-dependencies.js';
import { classesOf, heritage, pathOf } from './symbols.js';

/** A class that may extend a generated endpoint. */
export interface FoundEndpoint extends FoundClass {
  /** `generated/cancel-order.endpoint#CancelOrderEndpoint` */
  readonly base: string;
  readonly hasConstructor: boolean;
}

/** The generated class may not exist yet, so the import is followed by its path and not by the checker. */
export const findEndpoints = (file: ts.SourceFile, tree: SourceTree): readonly FoundEndpoint[] =>
  classesOf(file).flatMap((declaration) => {
    const base = baseOf(declaration, tree);
    if (base === undefined || !base.includes('.endpoint#')) return [];
    const hasConstructor = declaration.members.some(ts.isConstructorDeclaration);
    return [{ ...readConstructor(declaration, tree), base, hasConstructor }];
  });

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
