import { ts } from '../compiler.js';
import type { TypeModel } from '../model/service-model.js';

const flavors: Readonly<Record<string, TypeModel>> = {
  Uuid: { kind: 'uuid' },
  Int: { kind: 'int', limits: {} },
  Long: { kind: 'long', limits: {} },
  Decimal: { kind: 'decimal', limits: {} },
  Timestamp: { kind: 'timestamp' },
  Duration: { kind: 'duration' },
};

/** Primitives, and branded ones by their tag. */
export function scalarOf(type: ts.Type, checker: ts.TypeChecker): TypeModel | undefined {
  if ((type.flags & ts.TypeFlags.String) !== 0) return { kind: 'text', limits: {} };
  if ((type.flags & ts.TypeFlags.Number) !== 0) return { kind: 'number', limits: {} };
  if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0)
    return { kind: 'boolean', only: checker.typeToString(type) === 'true' };
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return { kind: 'boolean' };
  if (!type.isIntersection()) return undefined;
  const tag = checker.getPropertiesOfType(type).find((property) => property.name.startsWith('__@scalar'));
  if (tag === undefined) return undefined;
  const tagType = checker.getNonNullableType(checker.getTypeOfSymbol(tag));
  return tagType.isStringLiteral() ? flavors[tagType.value] : undefined;
}

const advice: Readonly<Record<string, string>> = {
  Date: 'is a Date, which has no JSON form here; use Timestamp',
  Map: 'is a Map, which has no JSON form; use Record<string, …>',
  Set: 'is a Set, which has no JSON form; use an array',
  RegExp: 'is a RegExp, which has no JSON form; use a string',
  Promise: 'is a Promise; use what it resolves to',
  Buffer: 'is a Buffer, which has no JSON form; use a string',
  Uint8Array: 'is a Uint8Array, which has no JSON form; use a string',
};

/** Why a type cannot cross the wire. */
export function unsupported(type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const { flags } = type;
  if ((flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) {
    return `is ${checker.typeToString(type)}, which says nothing about the value; name its type, or use Json`;
  }
  if ((flags & ts.TypeFlags.BigIntLike) !== 0)
    return 'is a bigint, which has no JSON form; use Long or Decimal';
  if ((flags & ts.TypeFlags.NumberLiteral) !== 0)
    return 'is a number literal; use a number type with @minimum and @maximum';
  if ((flags & ts.TypeFlags.ESSymbolLike) !== 0) return 'is a symbol, which has no JSON form';
  if ((flags & ts.TypeFlags.TypeParameter) !== 0)
    return 'is a type parameter; the wire needs a concrete type';
  if ((flags & (ts.TypeFlags.Never | ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0)
    return 'has no value';
  if (checker.isTupleType(type)) return 'is a tuple; use an object or an array';
  if (type.getCallSignatures().length + type.getConstructSignatures().length > 0)
    return 'is a function, which cannot be sent';
  const hint = advice[type.getSymbol()?.name ?? ''];
  if (hint !== undefined) return hint;
  if ((flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0)
    return `is ${checker.typeToString(type)}, which has no JSON form here`;
  return undefined;
}
