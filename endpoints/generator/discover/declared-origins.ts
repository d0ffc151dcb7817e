import { type SourceTree, ts } from '../compiler.js';
import { declaredAt, elementsOf, memberOf, valueOf } from './literals.js';
import type { Reading } from './reading.js';
import { extendsOurs, initializerOf, isOfRuntime, isOurs, symbolAt } from './symbols.js';

/** A class that takes an event of another service must say whose events it takes: `own` is an answer, too. */
export function mustDeclareOrigin(declaration: ts.ClassDeclaration, reading: Reading): void {
  if (reading.checker.getTypeAtLocation(declaration).getProperty('origin') !== undefined) return;
  const events = eventsOf(declaration, reading.tree);
  const outside = events.find(({ type }) => !reading.tree.owns(type.getSourceFile()));
  if (outside === undefined) return;
  const origin = events.every(({ type }) => !reading.tree.owns(type.getSourceFile())) ? 'others' : 'all';
  const why = `${outside.type.name?.text ?? 'this event'} is declared outside this service; say whose events the class takes: readonly origin = '${origin}' (or 'own', 'others', 'all')`;
  reading.error('SVC1053', outside.node, why);
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
    // Events of the runtime are those of the own store.
    const isDomain = type !== undefined && !isOfRuntime(type) && extendsOurs(type, 'Event', checker);
    return isDomain ? [{ type, node }] : [];
  });
}

const membersOf = (list: ts.Expression | undefined): readonly ts.Expression[] =>
  list === undefined || !ts.isObjectLiteralExpression(list)
    ? []
    : list.properties.flatMap((member) => {
        if (ts.isShorthandPropertyAssignment(member)) return [member.name];
        return valueOf(member) ?? [];
      });

/** The `events` of the `processSetup({ events, … })` that a machine is made with. */
function messagesOf(machine: ts.Expression | undefined, checker: ts.TypeChecker): ts.Expression | undefined {
  if (machine === undefined) return undefined;
  if (ts.isIdentifier(machine)) return messagesOf(declaredAt(machine, checker), checker);
  if (ts.isPropertyAccessExpression(machine)) return messagesOf(machine.expression, checker);
  if (!ts.isCallExpression(machine)) return undefined;
  if (!isOurs(symbolAt(machine.expression, checker), 'actors/processes/process-setup', 'processSetup'))
    return messagesOf(machine.expression, checker);
  const [options] = machine.arguments;
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return undefined;
  return valueOf(memberOf(options, 'events'));
}
