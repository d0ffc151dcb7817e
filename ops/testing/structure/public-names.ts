import { posix } from 'node:path';
import { ts } from '../../../endpoints/generator/compiler.js';

/** A type or value that an index.ts exports. */
interface PublicName {
  readonly name: string;
  readonly isDocumented: boolean;
}

/** The exports of a file, through re-exports; one doc comment serves a value and the type of the same name. */
export function publicNames(path: string, read: (path: string) => string): readonly PublicName[] {
  const tree = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  const documented = new Map<string, boolean>();
  for (const statement of tree.statements) {
    for (const { name, isDocumented } of namesOf(statement, path, read)) {
      documented.set(name, isDocumented || documented.get(name) === true);
    }
  }
  return [...documented].map(([name, isDocumented]) => ({ name, isDocumented }));
}

function namesOf(
  statement: ts.Statement,
  path: string,
  read: (path: string) => string,
): readonly PublicName[] {
  if (ts.isExportDeclaration(statement)) return passedOn(statement, path, read);
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  const isDocumented = hasDocComment(statement);
  const declared = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name.getText())
    : [(statement as ts.DeclarationStatement).name?.getText() ?? 'default'];
  return declared.map((name) => ({ name, isDocumented }));
}

function passedOn(
  statement: ts.ExportDeclaration,
  path: string,
  read: (path: string) => string,
): readonly PublicName[] {
  const { exportClause, moduleSpecifier } = statement;
  if (exportClause !== undefined && ts.isNamespaceExport(exportClause))
    return [{ name: exportClause.name.text, isDocumented: hasDocComment(statement) }];
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
  const from = posix.join(posix.dirname(path), moduleSpecifier.text.replace(/\.js$/, '.ts'));
  const all = publicNames(from, read);
  if (exportClause === undefined) return all;
  return exportClause.elements.map(({ name, propertyName }) => ({
    name: name.text,
    isDocumented: all.some((each) => each.name === (propertyName ?? name).text && each.isDocumented),
  }));
}

const hasDocComment = (statement: ts.Statement): boolean =>
  ts.getJSDocCommentsAndTags(statement).some(ts.isJSDoc);
