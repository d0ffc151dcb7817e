import { isDeepStrictEqual } from 'node:util';
import type { NamedType, ServiceModel } from './model.js';

/** The model with every part that is equal to one of the previous model replaced by it: what is the same stays the same object. */
export function steadyModel(model: ServiceModel, previous: ServiceModel | undefined): ServiceModel {
  if (previous === undefined) return model;
  const steadied = {
    ...model,
    commands: steadyList(model.commands, previous.commands),
    receptors: steadyList(model.receptors, previous.receptors),
    events: steadyList(model.events, previous.events),
    perspectives: steadyList(model.perspectives, previous.perspectives),
    dependencies: steadyList(model.dependencies, previous.dependencies),
    types: steadyTypes(model.types, previous.types),
  };
  const isSame = (Object.keys(steadied) as (keyof ServiceModel)[]).every(
    (part) => steadied[part] === previous[part],
  );
  return isSame ? previous : steadied;
}

/** Both are in the order of their names. */
function steadyTypes(types: ServiceModel['types'], previous: ServiceModel['types']): ServiceModel['types'] {
  const steadied = new Map<string, NamedType>();
  let isSame = types.size === previous.size;
  for (const [name, type] of types) {
    const known = previous.get(name);
    const kept = steady(type, known);
    if (kept !== known) isSame = false;
    steadied.set(name, kept);
  }
  return isSame ? previous : steadied;
}

function steadyList<T extends { readonly name: string }>(
  list: readonly T[],
  previous: readonly T[],
): readonly T[] {
  const byName = new Map(previous.map((part) => [part.name, part]));
  const steadied = list.map((part) => steady(part, byName.get(part.name)));
  const isSame = list.length === previous.length && steadied.every((part, index) => part === previous[index]);
  return isSame ? previous : steadied;
}

const steady = <T>(part: T, previous: T | undefined): T =>
  previous !== undefined && (part === previous || isDeepStrictEqual(part, previous)) ? previous : part;
