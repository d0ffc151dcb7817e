import { type SourceTree, ts } from '../compiler.js';
import { type Diagnostics, placeOf } from '../diagnostics.js';
import type { ConstructedModel, DependencyModel, Exported, TypeImport } from '../model.js';
import { isOurs, pathOf, symbolAt } from './symbols.js';

interface Asked {
  readonly model: DependencyModel;
  readonly type: ts.Type;
  readonly node: ts.Node;
}

/** Gathers what constructors ask for: one name means one thing in the whole service. */
export class Dependencies {
  readonly #asked = new Map<string, Asked>();

  constructor(
    private readonly tree: SourceTree,
    private readonly diagnostics: Diagnostics,
  ) {}

  get models(): readonly DependencyModel[] {
    return [...this.#asked.values()].map(({ model }) => model).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The class with the names of its constructor's parameters. */
  constructed(exported: Exported, declaration: ts.ClassDeclaration): ConstructedModel {
    const parameters = constructorOf(declaration, this.tree.checker)?.parameters ?? [];
    for (const parameter of parameters) if (!this.#isDispatcher(parameter)) this.#ask(parameter);
    return {
      ...exported,
      parameters: parameters.map((parameter) =>
        this.#isDispatcher(parameter) ? 'dispatcher' : nameOf(parameter),
      ),
    };
  }

  #isDispatcher({ type }: ts.ParameterDeclaration): boolean {
    if (type === undefined || !ts.isTypeReferenceNode(type)) return false;
    return isOurs(symbolAt(type.typeName, this.tree.checker), 'receptor', 'Dispatcher');
  }

  #ask(parameter: ts.ParameterDeclaration): void {
    const name = nameOf(parameter);
    if (parameter.type === undefined) {
      this.diagnostics.error(
        'SVC1017',
        parameter,
        `the parameter '${name}' needs a type, so that the application knows what to pass`,
      );
      return;
    }
    const type = this.tree.checker.getTypeAtLocation(parameter);
    const other = this.#asked.get(name);
    if (other === undefined) {
      const model = {
        name,
        type: parameter.type.getText(),
        imports: importsOf(parameter.type, this.tree, this.diagnostics),
      };
      this.#asked.set(name, { model, type, node: parameter });
    } else if (other.type !== type) {
      const where = placeOf(other.node, this.tree.root);
      this.diagnostics.error(
        'SVC1017',
        parameter,
        `'${name}' is a ${parameter.type.getText()} here and a ${other.model.type} at ${where}; name one of them differently`,
      );
    }
  }
}

/** A class without a constructor has its base's; a generated base takes the dispatcher. */
function constructorOf(
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): ts.ConstructorDeclaration | undefined {
  const own = declaration.members.find(
    (member) => ts.isConstructorDeclaration(member) && member.body !== undefined,
  );
  if (own !== undefined) return own as ts.ConstructorDeclaration;
  const base = declaration.heritageClauses?.find((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)
    ?.types[0];
  const parent =
    base === undefined ? undefined : symbolAt(base.expression, checker)?.declarations?.find(ts.isClassLike);
  return parent === undefined ? undefined : constructorOf(parent, checker);
}

const nameOf = (parameter: ts.ParameterDeclaration): string =>
  ts.isIdentifier(parameter.name) ? parameter.name.text : 'dependencies';

/** Every name in a written type, and where it comes from. */
function importsOf(type: ts.TypeNode, tree: SourceTree, diagnostics: Diagnostics): readonly TypeImport[] {
  const found = new Map<string, TypeImport>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) {
      const first = ts.isQualifiedName(node.typeName) ? leftmost(node.typeName) : node.typeName;
      const imported = importOf(first, tree, diagnostics);
      if (imported !== undefined) found.set(imported.name, imported);
    }
    ts.forEachChild(node, visit);
  };
  visit(type);
  return [...found.values()];
}

const leftmost = (name: ts.EntityName): ts.Identifier => (ts.isIdentifier(name) ? name : leftmost(name.left));

function importOf(
  identifier: ts.Identifier,
  tree: SourceTree,
  diagnostics: Diagnostics,
): TypeImport | undefined {
  const local = tree.checker.getSymbolAtLocation(identifier)?.declarations?.[0];
  if (local === undefined) return undefined;
  const name = identifier.text;
  if (ts.isImportSpecifier(local)) return importedBy(local, name, tree);
  const file = local.getSourceFile();
  if (!tree.files.includes(file)) return undefined;
  if ((ts.getCombinedModifierFlags(local) & ts.ModifierFlags.Export) === 0) {
    diagnostics.error('SVC1025', identifier, `${name} must be exported: the registry names it`);
  }
  return { name, from: { file: pathOf(file, tree.root) } };
}

function importedBy(specifier: ts.ImportSpecifier, name: string, tree: SourceTree): TypeImport | undefined {
  const from = specifier.parent.parent.parent.moduleSpecifier;
  if (!ts.isStringLiteral(from)) return undefined;
  if (!from.text.startsWith('.')) return { name, from: { package: from.text } };
  const target = tree.checker.getSymbolAtLocation(from)?.declarations?.[0]?.getSourceFile();
  return target === undefined ? undefined : { name, from: { file: pathOf(target, tree.root) } };
}
