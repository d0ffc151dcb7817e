import { isDeepStrictEqual } from 'node:util';
import type { NamedType, ServiceModel } from './service-model.js';

/**
 * Replaces every part of the model that equals one of the previous model by it, so that unchanged parts stay the same
 * object.
 */
export function reuseUnchanged(model: ServiceModel, previous: ServiceModel | undefined): ServiceModel {
  if (previous === undefined) return model;
  const steadied = {
    ...model,
    commands: reuseList(model.commands, previous.commands),
    receptors: reuseList(model.receptors, previous.receptors),
    events: reuseList(model.events, previous.events),
    perspectives: reuseList(model.perspectives, previous.perspectives),
    deciders: reuseList(model.deciders, previous.deciders),
    effects: reuseList(model.effects, previous.effects),
    reactions: reuseList(model.reactions, previous.reactions),
    processes: reuseList(model.processes, previous.processes),
    routes: reuseList(model.routes, previous.routes),
    schedules: reuseList(model.schedules, previous.schedules),
    webhooks: reuseList(model.webhooks, previous.webhooks),
    flags: reuse(model.flags, previous.flags),
    dependencies: reuseList(model.dependencies, previous.dependencies),
    types: reuseTypes(model.types, previous.types),
  };
  const isSame = (Object.keys(steadied) as (keyof ServiceModel)[]).every(
    (part) => steadied[part] === previous[part],
  );
  return isSame ? previous : steadied;
}

/** Both are sorted by name. */
function reuseTypes(types: ServiceModel['types'], previous: ServiceModel['types']): ServiceModel['types'] {
  const steadied = new Map<string, NamedType>();
  let isSame = types.size === previous.size;
  for (const [name, type] of types) {
    const known = previous.get(name);
    const kept = reuse(type, known);
    if (kept !== known) isSame = false;
    steadied.set(name, kept);
  }
  return isSame ? previous : steadied;
}

function reuseList<T extends { readonly name: string }>(
  list: readonly T[],
  previous: readonly T[],
): readonly T[] {
  const byName = new Map(previous.map((part) => [part.name, part]));
  const steadied = list.map((part) => reuse(part, byName.get(part.name)));
  const isSame = list.length === previous.length && steadied.every((part, index) => part === previous[index]);
  return isSame ? previous : steadied;
}

const reuse = <T>(part: T, previous: T | undefined): T =>
  previous !== undefined && (part === previous || isDeepStrictEqual(part, previous)) ? previous : part;
