import type { ColumnType } from '../../../contracts/perspective.js';
import { columnTypes } from '../../../runtime/perspectives/tables/perspective-table.js';
import { type SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { ColumnModel } from '../model/service-model.js';

/** The columns for filters and sorting: the keys of a literal, each with the type of its column. */
export function columnsOf(
  columns: ts.Expression | undefined,
  tree: SourceTree,
  diagnostics: Diagnostics,
): readonly ColumnModel[] {
  if (columns === undefined) return [];
  const literal = withoutAssertion(columns);
  const properties = ts.isObjectLiteralExpression(literal) ? literal.properties : [undefined];
  const names = properties.map((property) => property && nameOf(property));
  if (names.includes(undefined)) {
    diagnostics.error(
      'SVC1028',
      columns,
      'write the columns of a perspective with a route as an object literal, so that the API can document them',
    );
  }
  return properties.flatMap((property) => {
    const name = property && nameOf(property);
    if (property === undefined || name === undefined) return [];
    const type = columnTypeOf(property, tree.checker);
    if (type !== undefined) return [{ name, type }];
    diagnostics.error(
      'SVC1028',
      property,
      `write the type of the column '${name}' as a literal such as 'text', so that the API can document it`,
    );
    return [];
  });
}

/** A column without `of` shows a field of the row. */
export function mustNameFields(
  columns: ts.Expression | undefined,
  row: ts.TypeNode | undefined,
  { checker }: SourceTree,
  diagnostics: Diagnostics,
): void {
  const literal = columns && withoutAssertion(columns);
  if (literal === undefined || row === undefined || !ts.isObjectLiteralExpression(literal)) return;
  // Unlike getProperty, without the members of every object, such as toString.
  const fields = new Map(
    checker
      .getTypeAtLocation(row)
      .getProperties()
      .map((field) => [field.name, field]),
  );
  for (const property of literal.properties) {
    const name = nameOf(property);
    const symbol = property.name && checker.getSymbolAtLocation(property.name);
    if (name === undefined || symbol === undefined) continue;
    if ((checker.getTypeOfSymbolAtLocation(symbol, property).flags & ts.TypeFlags.StringLike) === 0) continue;
    const field = fields.get(name);
    const value = `give the column a value: ${name}: { type: …, of: (row) => … }`;
    if (field === undefined)
      diagnostics.error('SVC1054', property, `the row has no field '${name}'; ${value}`);
    else if (isComposite(checker.getTypeOfSymbolAtLocation(field, row), checker))
      diagnostics.error(
        'SVC1054',
        property,
        `the field '${name}' is not a text, number or boolean; ${value}`,
      );
  }
}

/** An object or a list fits no column. A scalar such as Uuid is an intersection with a mark, and no object. */
function isComposite(type: ts.Type, checker: ts.TypeChecker): boolean {
  const present = checker.getNonNullableType(type);
  const alternatives = present.isUnion() ? present.types : [present];
  return alternatives.every(({ flags }) => (flags & ts.TypeFlags.Object) !== 0);
}

const nameOf = ({ name }: ts.ObjectLiteralElementLike): string | undefined =>
  name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;

/** As written, or else by its type: a constant of another file may hold the column. */
function columnTypeOf(
  property: ts.ObjectLiteralElementLike,
  checker: ts.TypeChecker,
): ColumnType | undefined {
  const written = ts.isPropertyAssignment(property) ? writtenType(property.initializer) : undefined;
  if (written !== undefined) return written;
  const symbol = property.name && checker.getSymbolAtLocation(property.name);
  const column = symbol && checker.getTypeOfSymbolAtLocation(symbol, property);
  const member = column?.getProperty('type');
  const type = member === undefined ? column : checker.getTypeOfSymbolAtLocation(member, property);
  return type?.isStringLiteral() === true ? columnTypes.find((name) => name === type.value) : undefined;
}

function writtenType(column: ts.Expression): ColumnType | undefined {
  const literal = withoutAssertion(column);
  if (ts.isStringLiteralLike(literal)) return columnTypes.find((name) => name === literal.text);
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  const member = literal.properties.find((property) => nameOf(property) === 'type');
  if (member === undefined || !ts.isPropertyAssignment(member)) return undefined;
  const value = withoutAssertion(member.initializer);
  return ts.isStringLiteralLike(value) ? columnTypes.find((name) => name === value.text) : undefined;
}

const withoutAssertion = (expression: ts.Expression): ts.Expression =>
  ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) ? expression.expression : expression;
