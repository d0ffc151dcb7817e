import { ts } from '../../endpoints/generator/compiler.js';

/** A location in a source that reads untrusted input directly. */
interface RawRead {
  readonly line: number;
  readonly text: string;
}

/** The names under which a request, a message or a URL passes on untrusted input. */
const untrustedNames = new Set(['headers', 'rawHeaders', 'query', 'params', 'searchParams']);

/** Most sources contain none of these names, and parsing takes longer than looking for them. */
const mayRead = /headers|query|params|url/i;

/** Every location in a source that reads untrusted input directly; passing it on whole does not count. */
export function rawReadsIn(source: string): readonly RawRead[] {
  if (!mayRead.test(source)) return [];
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: RawRead[] = [];
  const visit = (node: ts.Node): void => {
    if (looksInto(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ line: line + 1, text: node.getText().replaceAll(/\s+/g, ' ').slice(0, 100) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function looksInto(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return (isUntrusted(node.expression) || isAddress(node.expression)) && !isWritten(node);
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name))
    return node.initializer !== undefined && isUntrusted(node.initializer);
  if (ts.isParameter(node) && ts.isObjectBindingPattern(node.name))
    return node.type?.getText() === 'IncomingHttpHeaders' || takesApart(node.name);
  return ts.isNewExpression(node) && node.expression.getText() === 'URLSearchParams';
}

/** `{ headers: { host } }` */
const takesApart = ({ elements }: ts.ObjectBindingPattern): boolean =>
  elements.some(
    ({ name, propertyName }) =>
      ts.isObjectBindingPattern(name) && untrustedNames.has(propertyName?.getText() ?? ''),
  );

/** Every machine has its own `params`. */
const isUntrusted = (expression: ts.Expression): boolean =>
  untrustedNames.has(nameOf(expression)) && bare(expression).getText() !== 'params';

/** `request.url` */
const isAddress = (expression: ts.Expression): boolean =>
  /^(?:request|req)\??\.url$/.test(bare(expression).getText());

function nameOf(expression: ts.Expression): string {
  const inner = bare(expression);
  if (ts.isIdentifier(inner)) return inner.text;
  if (ts.isPropertyAccessExpression(inner)) return inner.name.text;
  return ts.isElementAccessExpression(inner) && ts.isStringLiteral(inner.argumentExpression)
    ? inner.argumentExpression.text
    : '';
}

/** Without parts that only types use. */
function bare(expression: ts.Expression): ts.Expression {
  return ts.isAsExpression(expression) ||
    ts.isParenthesizedExpression(expression) ||
    ts.isNonNullExpression(expression)
    ? bare(expression.expression)
    : expression;
}

/** An object that is filled is our own answer. */
const isWritten = ({ parent }: ts.Node): boolean =>
  ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
