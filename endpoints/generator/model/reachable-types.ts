import { Problem } from '../../../contracts/problems.js';
import { type Track, Memo } from './memo.js';
import {
  type CommandModel,
  hasEndpoint,
  type NamedType,
  type NamedTypes,
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

export const queryTypes = (model: ServiceModel): string[] =>
  reachableTypes(model, [
    ...model.perspectives.flatMap(({ query }) => (query === null ? [] : namesIn(query.row))),
    ...model.webhooks.flatMap(({ published }) => published.flatMap(({ data }) => namesIn(data))),
    ...visibleProcesses(model).flatMap(({ instance, state }) =>
      state === null ? [instance] : [instance, state],
    ),
  ]);

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
export function partsOf({ type }: NamedType): string[] {
  if (type.kind === 'union') return type.variants.map(({ name }) => name);
  const names: string[] = [];
  if (type.kind === 'object')
    for (const property of type.properties) for (const name of namesIn(property.type)) names.push(name);
  return names;
}

/** The types, with every lookup tracked. */
export const trackedTypes = (ask: Track<NamedTypes>): NamedTypes => ({
  get: (name) => ask((types) => types.get(name)),
});

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
