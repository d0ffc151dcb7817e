import { posix } from 'node:path';
import { ts } from '../../../endpoints/generator/compiler.js';

/** The facts about one source. Our files are named without extension, as imports may name `.ts` or `.tsx`. */
export interface Source {
  readonly path: string;
  readonly file: string;
  readonly imports: readonly Import[];
  readonly exports: readonly string[];
  /** Lines that are neither blank nor comment. */
  readonly lines: number;
  readonly functions: readonly { readonly line: number; readonly lines: number }[];
  /** The ways to evade type checking and linting. */
  readonly evasions: readonly { readonly line: number; readonly what: string }[];
}

/** Includes type imports and re-exports. */
interface Import {
  readonly specifier: string;
  /** Our own file; undefined for a package. */
  readonly file: string | undefined;
  /** `*` for all exports. */
  readonly names: readonly string[];
}

/** Comments are read as text. */
const withoutJsDoc = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

export function readSource(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, withoutJsDoc);
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const lineOf = (node: ts.Node): number => lineAt(node.getStart(tree));
  const codeBefore = codeLinesBefore(text);
  /** Its first line is code, whatever precedes it there. */
  const linesOf = (node: ts.Node): number =>
    1 + (codeBefore[lineAt(node.getEnd())] ?? 0) - (codeBefore[lineOf(node)] ?? 0);
  const imports: Import[] = [];
  const functions: { line: number; lines: number }[] = [];
  const literals: ts.Node[] = [];
  const evasions: { line: number; what: string }[] = [];
  const mayBeSuppressed = suppression.test(text);
  const visit = (node: ts.Node): void => {
    // Every second node is one, and has nothing to find.
    if (node.kind === ts.SyntaxKind.Identifier) return;
    if (mayBeSuppressed && isLiteralText(node)) literals.push(node);
    const imported = importOf(node, path);
    if (imported !== undefined) imports.push(imported);
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined)
      functions.push({ line: lineOf(node), lines: linesOf(node) });
    const what = evasionOf(node, tree);
    if (what !== undefined) evasions.push({ line: lineOf(node), what });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  if (mayBeSuppressed) evasions.unshift(...suppressionsIn(withoutLiterals(text, literals, tree)));
  const exports = tree.statements.flatMap((statement) => exportsOf(statement, tree));
  return {
    path,
    file: withoutEnding(path),
    imports,
    exports,
    lines: codeBefore.at(-1) ?? 0,
    functions,
    evasions,
  };
}

/** The imports of a text that has them first and exports nothing; another text as it is. */
export function importsOf(text: string): string {
  const end = text.search(firstOther);
  const isWhole = end < 0 || /^(?:import|export)\b|\bimport\(/m.test(text.slice(end));
  return isWhole ? text : text.slice(0, end);
}

/** The first line that is not part of an import or a comment. */
const firstOther = /^(?!import\b|[\s/*}]|$)/m;

const withoutEnding = (path: string): string => path.replace(/\.(?:tsx?|js)$/, '');

/** The formatter puts every comment on its own lines or at the end of a line. */
const isCode = (line: string): boolean => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line);

/** How many of the first n lines are code, at n. */
function codeLinesBefore(text: string): readonly number[] {
  const counts = [0];
  for (const line of text.split('\n')) counts.push((counts.at(-1) ?? 0) + (isCode(line) ? 1 : 0));
  return counts;
}

const importing: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.ImportType,
  ts.SyntaxKind.CallExpression,
]);

function importOf(node: ts.Node, path: string): Import | undefined {
  if (!importing.has(node.kind)) return undefined;
  const [literal, names] = namedBy(node);
  if (literal === undefined || !ts.isStringLiteralLike(literal)) return undefined;
  const specifier = literal.text;
  const file = specifier.startsWith('.')
    ? withoutEnding(posix.join(posix.dirname(path), specifier))
    : undefined;
  return { specifier, file, names };
}

function namedBy(node: ts.Node): [ts.Node | undefined, readonly string[]] {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause?.namedBindings;
    return [node.moduleSpecifier, clause === undefined ? [] : namesIn(clause)];
  }
  if (ts.isExportDeclaration(node)) return [node.moduleSpecifier, namesIn(node.exportClause)];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return [node.argument.literal, ['*']];
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return [node.arguments[0], ['*']];
  return [undefined, []];
}

/** `export * from` has no clause. */
const namesIn = (clause: ts.NamedImportBindings | ts.NamedExportBindings | undefined): readonly string[] =>
  clause !== undefined && (ts.isNamedImports(clause) || ts.isNamedExports(clause))
    ? clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
    : ['*'];

function exportsOf(statement: ts.Statement, tree: ts.SourceFile): readonly string[] {
  if (ts.isExportDeclaration(statement))
    return statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [];
  if (!ts.canHaveModifiers(statement) || !isExported(statement)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText(tree));
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText(tree)];
}

/** A loader imports `default` without naming it. */
const isExported = (statement: ts.HasModifiers): boolean => {
  const kinds = ts.getModifiers(statement)?.map(({ kind }) => kind) ?? [];
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
};

function evasionOf(node: ts.Node, tree: ts.SourceFile): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any';
  if (ts.isNonNullExpression(node)) return '!';
  if (ts.isThrowStatement(node) && /^new Error\b/.test(node.expression.getText(tree)))
    return 'throw new Error';
  return undefined;
}

const isLiteralText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) ||
  ts.isTemplateLiteralToken(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isJsxText(node);

/** Blanks out strings, which are not comments; line numbers stay the same. The literals are in their order. */
function withoutLiterals(text: string, literals: readonly ts.Node[], tree: ts.SourceFile): string {
  let code = '';
  let at = 0;
  for (const node of literals) {
    code += text.slice(at, node.getStart(tree)) + node.getText(tree).replaceAll(/[^\n]/g, ' ');
    at = node.getEnd();
  }
  return code + text.slice(at);
}

const suppression =
  /(?:\/\/|\/\*|^\s*\*)[/*\s]*(@ts-[a-z-]+|(?:eslint|oxlint)-disable|(?:c8|v8|istanbul) ignore)/m;

const suppressionsIn = (code: string) =>
  code.split('\n').flatMap((line, index) => {
    const what = suppression.exec(line)?.[1];
    return what === undefined ? [] : [{ line: index + 1, what }];
  });
