import { relative, sep } from 'node:path';
import { packageOf, type SourceTree, ts } from '../compiler.js';
import type { Exported } from '../model/service-model.js';

/** The calls of one of our functions, wherever they are in a file. */
export function callsIn(
  file: ts.SourceFile,
  from: string,
  name: string,
  checker: ts.TypeChecker,
): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isOurs(symbolAt(node.expression, checker), from, name)) calls.push(node);
    ts.forEachChild(node, visit);
  };
  // Most files have none and need no walk.
  if (file.text.includes(name)) visit(file);
  return calls;
}

/** The symbol behind a name, however it was imported. */
export function symbolAt(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  return aliased(checker.getSymbolAtLocation(node), checker);
}

/** What an imported name stands for. */
export function aliased(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
  return checker.getAliasedSymbol(symbol);
}

/** Whether a symbol is `name` of our contracts, or of a file in another folder, by its declaration and not by its name. */
export function isOurs(symbol: ts.Symbol | undefined, file: string, name: string): boolean {
  const declaration = symbol?.declarations?.[0];
  if (symbol?.name !== name || declaration === undefined) return false;
  const { fileName } = declaration.getSourceFile();
  const path = /^(?:actors|endpoints)\//.test(file) ? file : `contracts/${file}`;
  return new RegExp(`/${path}\\.(?:d\\.)?ts$`).test(fileName) && packageOf(fileName) === 'svc-runtime';
}

/** Whether an event is one of the runtime. */
export function isOfRuntime(declaration: ts.Declaration): boolean {
  const { fileName } = declaration.getSourceFile();
  return /\/contracts\/events\/[^/]+$/.test(fileName) && packageOf(fileName) === 'svc-runtime';
}

/** Whether a class extends one of our marker classes. */
export function extendsOurs(
  declaration: ts.ClassLikeDeclaration,
  name: string,
  checker: ts.TypeChecker,
): boolean {
  for (let base = baseOf(declaration, checker); base !== undefined; base = baseOf(base, checker)) {
    if (isOurs(base.name === undefined ? undefined : checker.getSymbolAtLocation(base.name), 'message', name))
      return true;
  }
  return false;
}

/** The class that a class extends. */
export function baseOf(
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): ts.ClassLikeDeclaration | undefined {
  const clause = heritage(declaration, ts.SyntaxKind.ExtendsKeyword)[0];
  if (clause === undefined) return undefined;
  return symbolAt(clause.expression, checker)?.declarations?.find(ts.isClassLike);
}

export const heritage = (
  declaration: ts.ClassLikeDeclaration,
  kind: ts.SyntaxKind,
): readonly ts.ExpressionWithTypeArguments[] =>
  (declaration.heritageClauses ?? [])
    .filter((clause) => clause.token === kind)
    .flatMap((clause) => [...clause.types]);

/** The type arguments with which a class implements one of our interfaces. */
export function implementsOurs(
  declaration: ts.ClassDeclaration,
  file: string,
  name: string,
  checker: ts.TypeChecker,
): readonly ts.TypeNode[] | undefined {
  const clause = heritage(declaration, ts.SyntaxKind.ImplementsKeyword).find(({ expression }) =>
    isOurs(symbolAt(expression, checker), file, name),
  );
  return clause === undefined ? undefined : (clause.typeArguments ?? []);
}

/** Exported under its own name: a default export is imported under another. */
function isExported(node: ts.Declaration): boolean {
  const flags = ts.getCombinedModifierFlags(node);
  return (flags & ts.ModifierFlags.Export) !== 0 && (flags & ts.ModifierFlags.Default) === 0;
}

/** Where an exported declaration of the service can be imported from. */
export function exportedFrom(
  declaration: ts.Declaration & { readonly name?: ts.Node },
  tree: SourceTree,
): Exported | undefined {
  const path = pathOf(declaration.getSourceFile(), tree.root);
  if (declaration.name === undefined || !ts.isIdentifier(declaration.name) || path.startsWith('..'))
    return undefined;
  return isExported(declaration) ? { name: declaration.name.text, file: path } : undefined;
}

export const pathOf = (file: ts.SourceFile, root: string): string =>
  relative(root, file.fileName)
    .split(sep)
    .join('/')
    .replace(/\.[cm]?ts$/, '');

export const classesOf = (file: ts.SourceFile): readonly ts.ClassDeclaration[] =>
  file.statements.filter(ts.isClassDeclaration);

export const isAbstract = (declaration: ts.ClassDeclaration): boolean =>
  (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0;

export const documentationOf = (symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string | undefined =>
  ts.displayPartsToString(symbol?.getDocumentationComment(checker)) || undefined;

/** What a class writes behind the name of a member. */
export function initializerOf(declaration: ts.ClassDeclaration, name: string): ts.Expression | undefined {
  const property = declaration.members.find(
    (member): member is ts.PropertyDeclaration =>
      ts.isPropertyDeclaration(member) && ts.isIdentifier(member.name) && member.name.text === name,
  );
  return property?.initializer;
}
