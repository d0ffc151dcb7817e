import { ts } from '../compiler.js';
import { symbolAt } from './symbols.js';

/** An expression without type assertions and parentheses. */
export const bare = (node: ts.Expression): ts.Expression =>
  ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
    ? bare(node.expression)
    : node;

/** The text of a literal, or of a constant with one. */
export function textOf(node: ts.Expression, checker: ts.TypeChecker): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  const type = checker.getTypeAtLocation(node);
  return type.isStringLiteral() ? type.value : undefined;
}

/** What a variable is declared with. */
export function declaredAt(node: ts.Identifier, checker: ts.TypeChecker): ts.Expression | undefined {
  const declared = symbolAt(node, checker)?.valueDeclaration;
  return declared !== undefined && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
}

export const elementsOf = (list: ts.Expression | undefined): readonly ts.Expression[] =>
  list !== undefined && ts.isArrayLiteralExpression(list) ? list.elements : [];

export const memberOf = (
  literal: ts.ObjectLiteralExpression,
  name: string,
): ts.ObjectLiteralElementLike | undefined =>
  literal.properties.find((member) => member.name?.getText() === name);

/** What is written behind the name of a member. */
export const valueOf = (member: ts.ObjectLiteralElementLike | undefined): ts.Expression | undefined =>
  member !== undefined && ts.isPropertyAssignment(member) ? member.initializer : undefined;

/** The value of an option, also of `{ option }`. */
export function optionOf(literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const member = memberOf(literal, name);
  return member !== undefined && ts.isShorthandPropertyAssignment(member) ? member.name : valueOf(member);
}
