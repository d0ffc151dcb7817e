import { type SourceTree, ts } from '../compiler.js';
import type { Diagnostic } from '../diagnostics.js';
import type { ConstructedModel, DependencyModel, TypeImport } from '../model/service-model.js';
import { Reading } from './reading.js';
import { baseOf, exportedFrom, isOurs, pathOf, symbolAt } from './symbols.js';
import { typeIdentity } from './type-identity.js';

/** The dependency of a constructor parameter. */
export interface RequiredDependency {
  readonly model: DependencyModel;
  /** Equal for the same type, wherever it is declared. */
  readonly identity: string;
  readonly node: ts.ParameterDeclaration;
  /** Mistakes in the names of its type. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A class that the registry may have to construct. */
export interface FoundClass {
  readonly declaration: ts.ClassDeclaration;
  /** undefined for a class that cannot be imported. */
  readonly model: ConstructedModel | undefined;
  readonly dependencies: readonly RequiredDependency[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The class with its constructor's parameters and their types. */
export function readConstructor(declaration: ts.ClassDeclaration, tree: SourceTree): FoundClass {
  const exported = exportedFrom(declaration, tree);
  if (exported === undefined) return { declaration, model: undefined, dependencies: [], diagnostics: [] };
  const reading = new Reading(tree);
  const found = (constructorOf(declaration, tree.checker)?.parameters ?? []).map((parameter) =>
    isDispatcher(parameter, tree)
      ? { name: 'dispatcher', dependencies: [] }
      : { name: nameOf(parameter), dependencies: dependencyOf(parameter, reading) },
  );
  return {
    declaration,
    model: { ...exported, parameters: found.map(({ name }) => name) },
    dependencies: found.flatMap(({ dependencies }) => dependencies),
    diagnostics: reading.diagnostics.all,
  };
}

function isDispatcher({ type }: ts.ParameterDeclaration, { checker }: SourceTree): boolean {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return false;
  return isOurs(symbolAt(type.typeName, checker), 'receptor', 'Dispatcher');
}

function dependencyOf(parameter: ts.ParameterDeclaration, reading: Reading): readonly RequiredDependency[] {
  const name = nameOf(parameter);
  const { type } = parameter;
  if (type === undefined) {
    const why = `the parameter '${name}' needs a type, so that the application can provide it`;
    reading.error('SVC1017', parameter, why);
    return [];
  }
  const about = new Reading(reading.tree);
  const model = { name, type: type.getText(), imports: importsOf(type, about) };
  const identity = typeIdentity(reading.checker.getTypeAtLocation(parameter), reading.checker);
  return [{ model, identity, node: parameter, diagnostics: about.diagnostics.all }];
}

/** A class without a constructor inherits one; a generated base accepts the dispatcher. */
function constructorOf(
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): ts.ConstructorDeclaration | undefined {
  const own = declaration.members.find(
    (member) => ts.isConstructorDeclaration(member) && member.body !== undefined,
  );
  if (own !== undefined) return own as ts.ConstructorDeclaration;
  const parent = baseOf(declaration, checker);
  return parent === undefined ? undefined : constructorOf(parent, checker);
}

const nameOf = (parameter: ts.ParameterDeclaration): string =>
  ts.isIdentifier(parameter.name) ? parameter.name.text : 'dependencies';

/** Every name in a type as written, and where it is imported from. */
function importsOf(type: ts.TypeNode, reading: Reading): readonly TypeImport[] {
  const found = new Map<string, TypeImport>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) {
      const first = ts.isQualifiedName(node.typeName) ? leftmost(node.typeName) : node.typeName;
      const imported = importOf(first, reading);
      if (imported !== undefined) found.set(imported.name, imported);
    }
    ts.forEachChild(node, visit);
  };
  visit(type);
  return [...found.values()];
}

const leftmost = (name: ts.EntityName): ts.Identifier => (ts.isIdentifier(name) ? name : leftmost(name.left));

function importOf(identifier: ts.Identifier, reading: Reading): TypeImport | undefined {
  const local = reading.checker.getSymbolAtLocation(identifier)?.declarations?.[0];
  if (local === undefined) return undefined;
  const name = identifier.text;
  if (ts.isImportSpecifier(local)) return importedBy(local, name, reading.tree);
  const file = local.getSourceFile();
  if (!reading.tree.owns(file)) return undefined;
  if ((ts.getCombinedModifierFlags(local) & ts.ModifierFlags.Export) === 0) {
    reading.error('SVC1025', identifier, `${name} must be exported: the registry imports it`);
  }
  return { name, from: { file: pathOf(file, reading.tree.root) } };
}

function importedBy(specifier: ts.ImportSpecifier, name: string, tree: SourceTree): TypeImport | undefined {
  const from = specifier.parent.parent.parent.moduleSpecifier;
  if (!ts.isStringLiteral(from)) return undefined;
  if (!from.text.startsWith('.')) return { name, from: { package: from.text } };
  const target = tree.checker.getSymbolAtLocation(from)?.declarations?.[0]?.getSourceFile();
  return target === undefined ? undefined : { name, from: { file: pathOf(target, tree.root) } };
}
