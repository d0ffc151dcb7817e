import { posix } from 'node:path';
import { ts } from '../../../endpoints/generator/compiler.js';

/** A type or value that an index.ts exports. */
interface PublicName {
  readonly name: string;
  readonly isDocumented: boolean;
  /** The lines of the example in its doc comment. */
  readonly exampleLines: number;
}

type Documentation = Omit<PublicName, 'name'>;

/** The exports of a file, through re-exports; one doc comment serves a value and the type of the same name. */
export function publicNames(path: string, read: (path: string) => string): readonly PublicName[] {
  const tree = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  const documented = new Map<string, Documentation>();
  for (const statement of tree.statements) {
    for (const { name, ...of } of namesOf(statement, path, read)) {
      if (documented.get(name)?.isDocumented !== true) documented.set(name, of);
    }
  }
  return [...documented].map(([name, of]) => ({ name, ...of }));
}

function namesOf(
  statement: ts.Statement,
  path: string,
  read: (path: string) => string,
): readonly PublicName[] {
  if (ts.isExportDeclaration(statement)) return passedOn(statement, path, read);
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  const documentation = documentationOf(statement);
  const declared = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name.getText())
    : [(statement as ts.DeclarationStatement).name?.getText() ?? 'default'];
  return declared.map((name) => ({ name, ...documentation }));
}

function passedOn(
  statement: ts.ExportDeclaration,
  path: string,
  read: (path: string) => string,
): readonly PublicName[] {
  const { exportClause, moduleSpecifier } = statement;
  if (exportClause !== undefined && ts.isNamespaceExport(exportClause))
    return [{ name: exportClause.name.text, ...documentationOf(statement) }];
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  const from = posix.join(posix.dirname(path), moduleSpecifier.text.replace(/\.js$/, '.ts'));
  const all = publicNames(from, read);
  if (exportClause === undefined) return all;
  return exportClause.elements.map(({ name, propertyName }) => ({
    ...(all.find((each) => each.name === (propertyName ?? name).text) ?? none),
    name: name.text,
  }));
}

const none: Documentation = { isDocumented: false, exampleLines: 0 };

function documentationOf(statement: ts.Statement): Documentation {
  const comment = ts.getJSDocCommentsAndTags(statement).find(ts.isJSDoc);
  // The compiler takes a decorator in an example for a tag.
  const [, example = ''] = /@example\n([^]*)\*\/$/.exec(comment?.getText() ?? '') ?? [];
  const lines = example.split('\n').filter((line) => !/^[\s*]*(?:```.*)?$/.test(line));
  return { isDocumented: comment !== undefined, exampleLines: lines.length };
}
