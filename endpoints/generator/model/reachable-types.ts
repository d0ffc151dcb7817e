import { Problem } from '../../../contracts/problems.js';
import { type Track, Memo } from './memo.js';
import { propertiesOf } from './properties.js';
import {
  type CommandModel,
  hasEndpoint,
  type NamedType,
  type NamedTypes,
  type PropertyModel,
  type ServiceModel,
  type TypeModel,
  type VisibleModel,
  type WithTypes,
} from './service-model.js';

/** The type of a command's body: the request it is mapped from, or the command itself. */
export const bodyName = ({ name, request }: CommandModel): string => request?.name ?? name;

export const bodyNames = ({ commands, routes }: ServiceModel): string[] =>
  sorted([...commands.filter(hasEndpoint).map(bodyName), ...routes.flatMap(({ request }) => request ?? [])]);

/** Bodies, and what effects are asked to do: an earlier version may have stored that. */
export const decodedNames = (model: ServiceModel): string[] =>
  sorted([
    ...bodyNames(model),
    ...model.effects.map(({ command }) => command).filter((name) => model.types.has(name)),
  ]);

/** Everything whose answers are encoded. */
export const answering = ({ commands, routes }: ServiceModel) => [...commands.filter(hasEndpoint), ...routes];

export function namedType({ types }: WithTypes, name: string): NamedType {
  const type = types.get(name);
  if (type !== undefined) return type;
  throw new Problem('invalid-setup', { detail: `The generator does not know the type '${name}'.` });
}

/** Names of all types that the named ones consist of, including themselves. */
export function reachableTypes(model: WithTypes, names: readonly string[]): string[] {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const next of partsOf(namedType(model, name))) visit(next);
  };
  for (const name of names) visit(name);
  return sorted(reached);
}

export const bodyTypes = (model: ServiceModel, memo = new Memo()): readonly string[] =>
  memo.of('reached by bodies', model, [], undefined, () => reachableTypes(model, bodyNames(model)));

export const resultTypes = (model: ServiceModel, memo = new Memo()): readonly string[] =>
  memo.of('reached by results', model, [], undefined, () =>
    reachableTypes(
      model,
      answering(model).flatMap(({ result }) => (result === null ? [] : namesIn(result))),
    ),
  );

/** What is read, and what is delivered to webhooks. */
export const queryTypes = (model: ServiceModel): string[] =>
  reachableTypes(model, [
    ...readNames(model),
    ...model.webhooks.flatMap(({ published }) => published.flatMap(({ data }) => namesIn(data))),
  ]);

const readNames = (model: ServiceModel): readonly string[] => [
  ...model.perspectives.flatMap(({ query }) => (query === null ? [] : namesIn(query.row))),
  ...visibleProcesses(model).flatMap(({ instance, state }) =>
    state === null ? [instance] : [instance, state],
  ),
];

/** The types that requests, results and reads reach; events and webhooks are not part of a client. */
export function calledTypes(model: ServiceModel): readonly NamedType[] {
  const results = answering(model).flatMap(({ result }) => (result === null ? [] : namesIn(result)));
  const names = new Set(reachableTypes(model, [...bodyNames(model), ...results, ...readNames(model)]));
  return [...model.types.values()].filter(({ name }) => names.has(name));
}

/** What callers see of the processes that have a route. */
export const visibleProcesses = ({ processes }: Pick<ServiceModel, 'processes'>): readonly VisibleModel[] =>
  processes.flatMap(({ visible }) => visible ?? []);

/** Names of the types in a type. */
export function namesIn(type: TypeModel): readonly string[] {
  switch (type.kind) {
    case 'ref':
      return [type.name];
    case 'array':
      return namesIn(type.item);
    case 'map':
      return namesIn(type.value);
    case 'nullable':
      return namesIn(type.inner);
    default:
      return nothing;
  }
}

const nothing: readonly string[] = [];

/** Names of the types that a named type directly consists of. */
export function partsOf({ type }: NamedType): readonly string[] {
  if (type.kind === 'union') return type.variants.map(({ name }) => name);
  return type.kind === 'object' ? type.properties.flatMap((property) => namesIn(property.type)) : [];
}

/** Names of the types with such a property, at any depth. */
export function typesHolding(
  types: ReadonlyMap<string, NamedType>,
  isSought: (property: PropertyModel) => boolean,
): ReadonlySet<string> {
  const found = new Set([...types.keys()].filter((name) => propertiesOf(types, name).some(isSought)));
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const type of types.values())
      if (partsOf(type).some((name) => found.has(name))) found.add(type.name);
  }
  return found;
}

/** The types, with every lookup tracked. */
export const trackedTypes = (ask: Track<NamedTypes>): NamedTypes => ({
  get: (name) => ask((types) => types.get(name)),
});

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
