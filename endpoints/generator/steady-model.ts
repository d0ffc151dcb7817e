import { isDeepStrictEqual } from 'node:util';
import type { ServiceModel } from './model.js';

/** The model with every part that is equal to one of the previous model replaced by it: what is the same stays the same object. */
export function steadyModel(model: ServiceModel, previous: ServiceModel | undefined): ServiceModel {
  if (previous === undefined) return model;
  return {
    ...model,
    commands: steadyList(model.commands, previous.commands),
    receptors: steadyList(model.receptors, previous.receptors),
    events: steadyList(model.events, previous.events),
    perspectives: steadyList(model.perspectives, previous.perspectives),
    dependencies: steadyList(model.dependencies, previous.dependencies),
    types: new Map([...model.types].map(([name, type]) => [name, steady(type, previous.types.get(name))])),
  };
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
