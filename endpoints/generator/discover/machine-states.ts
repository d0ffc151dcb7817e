import { ts } from '../compiler.js';
import { bare, declaredAt, memberOf, valueOf } from './literals.js';

/** The states of a machine, as far as its configuration is written out. */
export interface MachineStates {
  /** Also the outer ones: `open`, `open.waiting`. Empty: they cannot be read. */
  readonly names: readonly string[];
  /** Whether it may be in several of them at once. */
  readonly hasRegions: boolean;
}

/** The types of the machine are not read: those of its library are never loaded here. */
export function statesOf(machine: ts.Expression | undefined, checker: ts.TypeChecker): MachineStates {
  const names: string[] = [];
  let isKnown = true;
  let hasRegions = false;
  const visit = (config: ts.ObjectLiteralExpression, outer: string): void => {
    isKnown &&= !config.properties.some(ts.isSpreadAssignment);
    const kind = valueOf(memberOf(config, 'type'));
    hasRegions ||= kind !== undefined && ts.isStringLiteralLike(kind) && kind.text === 'parallel';
    const written = valueOf(memberOf(config, 'states'));
    if (written === undefined) return;
    const states = objectAt(written, checker);
    isKnown &&= states !== undefined;
    for (const state of states?.properties ?? []) {
      const name = state.name;
      const child = objectAt(valueOf(state), checker);
      const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteralLike(name));
      isKnown &&= isNamed && child !== undefined;
      if (!isNamed || child === undefined) continue;
      names.push(outer + name.text);
      visit(child, `${outer}${name.text}.`);
    }
  };
  const config = configOf(machine, checker);
  if (config !== undefined) visit(config, '');
  return { names: isKnown ? names : [], hasRegions };
}

/** What `createMachine` is called with. */
function configOf(
  machine: ts.Expression | undefined,
  checker: ts.TypeChecker,
): ts.ObjectLiteralExpression | undefined {
  if (machine === undefined) return undefined;
  if (ts.isIdentifier(machine)) return configOf(declaredAt(machine, checker), checker);
  if (!ts.isCallExpression(machine) || !ts.isPropertyAccessExpression(machine.expression)) return undefined;
  const { name, expression } = machine.expression;
  return name.text === 'createMachine'
    ? objectAt(machine.arguments[0], checker)
    : configOf(expression, checker);
}

function objectAt(
  written: ts.Expression | undefined,
  checker: ts.TypeChecker,
): ts.ObjectLiteralExpression | undefined {
  const node = written && bare(written);
  if (node === undefined || ts.isObjectLiteralExpression(node)) return node;
  const held = ts.isIdentifier(node) ? declaredAt(node, checker) : undefined;
  return held !== undefined && ts.isIdentifier(held) ? undefined : objectAt(held, checker);
}
