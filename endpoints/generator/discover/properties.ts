import { ts } from '../compiler.js';
import type { PropertyModel } from '../model/service-model.js';
import { docTagsOf } from './doc-tags.js';
import { bare } from './literals.js';
import { limitsOf, mustFit } from './limits.js';
import { documentationOf, isOurs, symbolAt } from './symbols.js';
import { capital, type TypeSite, type TypeReadingContext } from './type-reading-context.js';

/** The data members of an object type, in declaration order. */
export function readProperties(
  reader: TypeReadingContext,
  type: ts.Type,
  site: TypeSite,
  owner: string,
): readonly PropertyModel[] {
  if (reader.checker.getIndexInfosOfType(type).length > 0)
    reader.refuse(site, 'has an index signature; put its values into a member of type Record<string, …>');
  return reader.checker
    .getPropertiesOfType(type)
    .filter(isData)
    .map((symbol) => readProperty(reader, symbol, site, owner));
}

function readProperty(
  reader: TypeReadingContext,
  symbol: ts.Symbol,
  site: TypeSite,
  owner: string,
): PropertyModel {
  const { checker, diagnostics } = reader;
  const declaration = symbol.declarations?.[0];
  const inTree = declaration !== undefined && reader.tree.owns(declaration.getSourceFile());
  const node = inTree ? declaration : site.node;
  const path = `${owner}.${symbol.name}`;
  const own = { node, identity: declaration ?? site.identity, path, name: owner + capital(symbol.name) };
  const unfit = unfitness(symbol, declaration);
  const type = checker.getTypeOfSymbolAtLocation(symbol, node);
  const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
  const saysUndefined = includesUndefined(type, checker);
  const initializer =
    declaration !== undefined && ts.isPropertyDeclaration(declaration) ? declaration.initializer : undefined;
  const limits = limitsOf(symbol, node, reader);
  const faults = diagnostics.all.length;
  const read = unfit === undefined ? reader.read(type, own, limits) : reader.refuse(own, unfit);
  // Report one mistake only.
  if (diagnostics.all.length === faults) mustFit(limits, read, own, reader);
  return {
    name: symbol.name,
    type: read,
    required: !isOptional && !saysUndefined && initializer === undefined,
    ...(saysUndefined ? { saysUndefined: isOptional ? 'with ?' : 'without ?' } : {}),
    default: initializer === undefined ? undefined : defaultOf(initializer, path, reader),
    ...sensitivityOf(symbol, declaration, reader),
    description: documentationOf(symbol, checker),
  };
}

/** Why a member can be neither received nor sent. */
function unfitness({ name }: ts.Symbol, declaration: ts.Declaration | undefined): string | undefined {
  if (name === '__proto__') return 'has a name that is not allowed in a body; choose another';
  const flags = declaration === undefined ? 0 : ts.getCombinedModifierFlags(declaration);
  if ((flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0) return undefined;
  return `is not public, but would be sent; make it public, or name it #${name}`;
}

/** A `?` alone includes undefined too, unless optional properties are exact. */
const includesUndefined = (type: ts.Type, checker: ts.TypeChecker): boolean =>
  type.isUnion() && type.types.includes(checker.getUndefinedType());

/** Methods, accessors, #fields and our own brands are not sent. */
function isData(symbol: ts.Symbol): boolean {
  if (/^__[@#]/.test(String(symbol.escapedName))) return false;
  return (symbol.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor)) === 0;
}

function sensitivityOf(
  symbol: ts.Symbol,
  declaration: ts.Declaration | undefined,
  { checker, diagnostics }: TypeReadingContext,
): Pick<PropertyModel, 'sensitive' | 'subject'> {
  const decorators =
    declaration !== undefined && ts.canHaveDecorators(declaration)
      ? ts.getDecorators(declaration)
      : undefined;
  const mark = decorators?.find(({ expression }) => {
    const callee = ts.isCallExpression(expression) ? expression.expression : expression;
    return isOurs(symbolAt(callee, checker), 'sensitive', 'Sensitive');
  })?.expression;
  if (mark === undefined)
    return { sensitive: docTagsOf(symbol, checker).some(({ name }) => name === 'sensitive') };
  const [options] = ts.isCallExpression(mark) ? mark.arguments : [];
  if (options === undefined) return { sensitive: true };
  const { subject } = (literalValue(options)?.value ?? {}) as { readonly subject?: unknown };
  if (typeof subject === 'string') return { sensitive: true, subject };
  diagnostics.error(
    'SVC1045',
    options,
    "write the subject as a literal: @Sensitive({ subject: 'customerId' })",
  );
  return { sensitive: true };
}

function defaultOf(
  initializer: ts.Expression,
  path: string,
  reader: TypeReadingContext,
): { value: unknown } | undefined {
  const literal = literalValue(initializer) ?? constantValue(reader.checker.getTypeAtLocation(initializer));
  if (literal === undefined) {
    const why = `the default of '${path}' must be a literal, so that the API can document it`;
    reader.error('SVC1019', initializer, why);
  }
  return literal;
}

/** The value of an enum member or a constant. */
const constantValue = (type: ts.Type): { value: unknown } | undefined =>
  type.isStringLiteral() || type.isNumberLiteral() ? { value: type.value } : undefined;

/** The JSON value of a literal expression. */
export function literalValue(written: ts.Expression): { value: unknown } | undefined {
  const node = bare(written);
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (ts.isNumericLiteral(node)) return { value: Number(node.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(node.operand)
  ) {
    return { value: -Number(node.operand.text) };
  }
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map(literalValue);
    return items.every((item) => item !== undefined) ? { value: items.map((item) => item.value) } : undefined;
  }
  if (ts.isObjectLiteralExpression(node)) return objectValue(node);
  return undefined;
}

function objectValue(node: ts.ObjectLiteralExpression): { value: unknown } | undefined {
  const entries: [string, unknown][] = [];
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property) || ts.isComputedPropertyName(property.name)) return undefined;
    const value = literalValue(property.initializer);
    if (value === undefined) return undefined;
    entries.push([property.name.text, value.value]);
  }
  return { value: Object.fromEntries(entries) };
}
