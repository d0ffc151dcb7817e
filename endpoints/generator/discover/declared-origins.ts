import { packageOf, type SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import { extendsOurs, initializerOf, isOurs, symbolAt } from './symbols.js';

/** A class that takes an event of another service must say whose events it takes: `own` is an answer, too. */
export function mustDeclareOrigin(
  declaration: ts.ClassDeclaration,
  tree: SourceTree,
  diagnostics: Diagnostics,
): void {
  if (tree.checker.getTypeAtLocation(declaration).getProperty('origin') !== undefined) return;
  const events = eventsOf(declaration, tree);
  const outside = events.find(({ type }) => !tree.owns(type.getSourceFile()));
  if (outside === undefined) return;
  const origin = events.every(({ type }) => !tree.owns(type.getSourceFile())) ? 'others' : 'all';
  diagnostics.error(
    'SVC1053',
    outside.node,
    `${outside.type.name?.text ?? 'this event'} is declared outside this service; say whose events the class takes: readonly origin = '${origin}' (or 'own', 'others', 'all')`,
  );
}

interface NamedEvent {
  readonly type: ts.ClassLikeDeclaration;
  /** Where the class names it. */
  readonly node: ts.Node;
}

/** The domain events that a perspective, reaction or process names. */
function eventsOf(declaration: ts.ClassDeclaration, { checker }: SourceTree): readonly NamedEvent[] {
  const nodes = [
    ...elementsOf(initializerOf(declaration, 'events')),
    ...elementsOf(initializerOf(declaration, 'starts')),
    ...membersOf(messagesOf(initializerOf(declaration, 'machine'), checker)),
  ];
  return nodes.flatMap((node) => {
    const type = checker.getTypeAtLocation(node).symbol?.declarations?.find(ts.isClassLike);
    return type !== undefined && isDomainEvent(type, checker) ? [{ type, node }] : [];
  });
}

/** Events of the runtime are those of the own store. */
const isDomainEvent = (type: ts.ClassLikeDeclaration, checker: ts.TypeChecker): boolean => {
  const { fileName } = type.getSourceFile();
  const isRuntime = /\/contracts\/events\/[^/]+$/.test(fileName) && packageOf(fileName) === 'svc-runtime';
  return !isRuntime && extendsOurs(type, 'Event', checker);
};

const elementsOf = (list: ts.Expression | undefined): readonly ts.Expression[] =>
  list !== undefined && ts.isArrayLiteralExpression(list) ? [...list.elements] : [];

const membersOf = (list: ts.Expression | undefined): readonly ts.Expression[] =>
  list === undefined || !ts.isObjectLiteralExpression(list)
    ? []
    : list.properties.flatMap((member) => {
        if (ts.isShorthandPropertyAssignment(member)) return [member.name];
        return ts.isPropertyAssignment(member) ? [member.initializer] : [];
      });

/** The `events` of the `processSetup({ events, … })` that a machine is made with. */
function messagesOf(machine: ts.Expression | undefined, checker: ts.TypeChecker): ts.Expression | undefined {
  if (machine === undefined) return undefined;
  if (ts.isIdentifier(machine)) {
    const declared = symbolAt(machine, checker)?.valueDeclaration;
    return declared !== undefined && ts.isVariableDeclaration(declared)
      ? messagesOf(declared.initializer, checker)
      : undefined;
  }
  if (ts.isPropertyAccessExpression(machine)) return messagesOf(machine.expression, checker);
  if (!ts.isCallExpression(machine)) return undefined;
  if (!isOurs(symbolAt(machine.expression, checker), 'actors/processes/process-setup', 'processSetup'))
    return messagesOf(machine.expression, checker);
  const [options] = machine.arguments;
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return undefined;
  const events = options.properties.find((member) => member.name?.getText() === 'events');
  return events !== undefined && ts.isPropertyAssignment(events) ? events.initializer : undefined;
}
