import { ts } from '../compiler.js';
import { property } from '../model/properties.js';
import type { PropertyModel, TypeModel, VisibleModel } from '../model/service-model.js';
import { elementsOf } from './literals.js';
import { declaredPermission } from './read-permission.js';
import { routeOf } from './read-route.js';
import { statesOf } from './machine-states.js';
import { documentationOf, initializerOf, symbolAt } from './symbols.js';
import type { TypeReader } from './type-reader.js';

/** What callers see of a process that has a route. */
export interface FoundVisible extends Omit<VisibleModel, 'startedBy'> {
  /** The classes of the events that start it. */
  readonly starts: readonly ts.Node[];
}

export function visibleIn(declaration: ts.ClassDeclaration, reader: TypeReader): FoundVisible | null {
  const written = initializerOf(declaration, 'route');
  if (written === undefined) return null;
  const route = routeOf(written, 'process', reader);
  const type = reader.checker.getTypeAtLocation(declaration);
  const missing = ['permission', 'view'].filter((member) => type.getProperty(member) === undefined);
  if (missing.length > 0) {
    const why = `a process with a route also needs ${missing.join(' and ')}: readonly permission = Permission.read('orders'), and view(context) with what callers may see of it`;
    reader.error('SVC1071', written, why);
  }
  if (route === undefined || missing.length > 0) return null;
  const name = declaration.name?.text ?? '';
  const { names, hasRegions } = statesOf(initializerOf(declaration, 'machine'), reader.checker);
  const state = names.length === 0 ? null : `${name}State`;
  if (state !== null) reader.addDerived(state, declaration, { kind: 'enum', values: names });
  const instance = `${name}Instance`;
  const shown: TypeModel =
    state === null || hasRegions ? { kind: 'text', limits: {} } : { kind: 'ref', name: state };
  const view = viewOf(type, declaration, reader);
  reader.addDerived(instance, declaration, { kind: 'object', properties: instanceProperties(shown, view) });
  return {
    route,
    instance,
    state,
    permission: declaredPermission(declaration, reader),
    description: documentationOf(type.getSymbol(), reader.checker),
    starts: elementsOf(initializerOf(declaration, 'starts')).flatMap(
      (element) => symbolAt(element, reader.checker)?.valueDeclaration ?? [],
    ),
  };
}

function viewOf(type: ts.Type, declaration: ts.ClassDeclaration, reader: TypeReader): TypeModel {
  const { checker } = reader;
  const symbol = type.getProperty('view');
  const signature =
    symbol && checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures().at(0);
  const name = declaration.name?.text ?? '';
  const node = symbol?.valueDeclaration ?? declaration;
  const site = { node, identity: node, path: `${name}.view`, name: `${name}View` };
  return signature === undefined ? { kind: 'json' } : reader.read(signature.getReturnType(), site);
}

const instanceProperties = (state: TypeModel, view: TypeModel): readonly PropertyModel[] => [
  property('key', { kind: 'text', limits: {} }),
  property('state', state),
  property('hasEnded', { kind: 'boolean' }),
  property('isParked', { kind: 'boolean' }, 'It waits for an operator.'),
  property('since', { kind: 'timestamp' }, 'When it last moved.'),
  property('view', view),
];

/** The classes that the code of a class names: those of the events that it may append are among them. */
export function classesNamedIn(
  declaration: ts.ClassDeclaration,
  checker: ts.TypeChecker,
): ReadonlySet<ts.Node> {
  const found = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && /^[A-Z]/.test(node.text)) {
      const named = symbolAt(node, checker)?.valueDeclaration;
      if (named !== undefined && ts.isClassDeclaration(named)) found.add(named);
    } else if (ts.isPropertyAccessExpression(node)) visit(node.expression);
    else ts.forEachChild(node, visit);
  };
  for (const member of declaration.members) visit(member);
  return found;
}
