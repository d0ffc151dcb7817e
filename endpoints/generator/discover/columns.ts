import type { ColumnType } from '../../../contracts/perspective.js';
import { columnTypes } from '../../../runtime/perspectives/tables/perspective-table.js';
import { ts } from '../compiler.js';
import type { ColumnModel } from '../model/service-model.js';
import { bare, valueOf } from './literals.js';
import type { Reading } from './reading.js';

/** The columns for filters and sorting: the keys of a literal, each with the type of its column. */
export function columnsOf(columns: ts.Expression | undefined, reading: Reading): readonly ColumnModel[] {
  if (columns === undefined) return [];
  const literal = bare(columns);
  const properties = ts.isObjectLiteralExpression(literal) ? literal.properties : [undefined];
  const names = properties.map((property) => property && nameOf(property));
  if (names.includes(undefined)) {
    const why =
      'write the columns of a perspective with a route as an object literal, so that the API can document them';
    reading.error('SVC1028', columns, why);
  }
  return properties.flatMap((property) => {
    const name = property && nameOf(property);
    if (property === undefined || name === undefined) return [];
    const type = columnTypeOf(property, reading.checker);
    if (type !== undefined) return [{ name, type }];
    const why = `write the type of the column '${name}' as a literal such as 'text', so that the API can document it`;
    reading.error('SVC1028', property, why);
    return [];
  });
}

/** A column without `of` shows a field of the row. */
export function mustNameFields(
  columns: ts.Expression | undefined,
  row: ts.TypeNode | undefined,
  reading: Reading,
): void {
  const { checker } = reading;
  const literal = columns && bare(columns);
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
    if (field === undefined) reading.error('SVC1054', property, `the row has no field '${name}'; ${value}`);
    else if (isComposite(checker.getTypeOfSymbolAtLocation(field, row), checker))
      reading.error('SVC1054', property, `the field '${name}' is not a text, number or boolean; ${value}`);
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
  const value = valueOf(property);
  const written = value && writtenType(value);
  if (written !== undefined) return written;
  const symbol = property.name && checker.getSymbolAtLocation(property.name);
  const column = symbol && checker.getTypeOfSymbolAtLocation(symbol, property);
  const member = column?.getProperty('type');
  const type = member === undefined ? column : checker.getTypeOfSymbolAtLocation(member, property);
  return type?.isStringLiteral() === true ? columnTypes.find((name) => name === type.value) : undefined;
}

function writtenType(column: ts.Expression): ColumnType | undefined {
  const literal = bare(column);
  if (ts.isStringLiteralLike(literal)) return columnTypes.find((name) => name === literal.text);
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  const member = literal.properties.find((property) => nameOf(property) === 'type');
  const type = valueOf(member);
  return type && ts.isStringLiteralLike(bare(type)) ? writtenType(type) : undefined;
}
