import { isPermissionText } from '../../../contracts/permission.js';
import { ts } from '../compiler.js';
import { bare, textOf } from './literals.js';
import type { Reading } from './reading.js';
import { aliased, isOurs, symbolAt } from './symbols.js';

/** A `permission` as it is written: `public`, `authenticated` or `resource:action`; undefined when it cannot be read. */
export function readPermission(value: ts.Expression, reading: Reading): string | undefined {
  const text = permissionIn(value, reading.checker, maxSteps);
  if (text === undefined) {
    const why =
      "write the permission as 'public', 'authenticated', Permission.of('orders', 'write') or a const with one of these, so that the API can document it";
    reading.error('SVC1041', value, why);
    return undefined;
  }
  const isValid: boolean = open.includes(text) || isPermissionText(text);
  if (isValid) return text;
  const why = `'${text}' is not a permission; it must have the form resource:action, each part a word or *`;
  reading.error('SVC1042', value, why);
  return undefined;
}

/** The `permission` of a class, also an inherited one. */
export function declaredPermission(declaration: ts.ClassDeclaration, reading: Reading): string | undefined {
  const member = reading.checker.getTypeAtLocation(declaration).getProperty('permission')?.valueDeclaration;
  if (member === undefined) return undefined;
  const value = ts.isPropertyDeclaration(member) ? member.initializer : undefined;
  if (value !== undefined) return readPermission(value, reading);
  const why = "write the permission as a field: readonly permission = Permission.of('orders', 'read')";
  reading.error('SVC1041', member, why);
  return undefined;
}

const open = ['public', 'authenticated'];

/** How many constants may hold one another. */
const maxSteps = 8;

function permissionIn(written: ts.Expression, checker: ts.TypeChecker, steps: number): string | undefined {
  const node = bare(written);
  if (ts.isStringLiteralLike(node)) return open.includes(node.text) ? node.text : undefined;
  if (ts.isCallExpression(node)) return permissionOf(node, checker);
  const held = ts.isIdentifier(node) ? constantAt(node, checker) : undefined;
  return held === undefined || steps === 0 ? undefined : permissionIn(held, checker, steps - 1);
}

const actions: Readonly<Record<string, string>> = {
  read: 'read',
  write: 'write',
  delete: 'delete',
  admin: 'admin',
  all: '*',
};

/** What a call such as `Permission.of('orders', 'write')` creates. */
function permissionOf({ expression, arguments: args }: ts.CallExpression, checker: ts.TypeChecker) {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  if (!isOurs(symbolAt(expression.expression, checker), 'permission', 'Permission')) return undefined;
  const [first, second, ...more] = args.map((argument) => textOf(argument, checker));
  const method = expression.name.text;
  if (first === undefined || more.length > 0) return undefined;
  if (method === 'of') return second === undefined ? undefined : `${first}:${second}`;
  if (method === 'parse') return first;
  const action = Object.hasOwn(actions, method) ? actions[method] : undefined;
  return action === undefined ? undefined : `${first}:${action}`;
}

/** The value of a `const`; anything else may change before it is used. */
function constantAt(node: ts.Identifier, checker: ts.TypeChecker): ts.Expression | undefined {
  // The name in `{ permission }` is that of the property; its value is the constant.
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  const declaration = aliased(symbol, checker)?.declarations?.find(ts.isVariableDeclaration);
  if (declaration === undefined) return undefined;
  return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) === 0
    ? undefined
    : declaration.initializer;
}
