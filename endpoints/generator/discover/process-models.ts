import type { ProcessModel } from '../model/service-model.js';
import type { Findings } from './file-findings.js';
import type { ReadRoute } from './read-name-conflicts.js';
import type { Reading } from './reading.js';
import type { RegisteredClasses } from './registered-classes.js';

/** With the commands that start them. */
export function processModels(
  { commands, named, receptors }: Findings,
  constructions: RegisteredClasses,
): readonly ProcessModel[] {
  const deciders = named.filter(({ kind }) => kind === 'decider');
  const handlers = [
    ...receptors.map(({ handles, names }) => ({ handles: [handles], names })),
    ...deciders.map((one) => ({ handles: [...one.commands.values()], names: one.names })),
  ];
  return named
    .filter(({ kind }) => kind === 'process')
    .flatMap((process): readonly ProcessModel[] => {
      const [model] = constructions.constructed([process]);
      if (model === undefined) return [];
      if (process.visible === null) return [{ ...model, visible: null }];
      const { starts, ...visible } = process.visible;
      const starting = handlers.filter(({ names }) => starts.some((event) => names.has(event)));
      const startedBy = commands
        .filter(({ declaration }) => starting.some(({ handles }) => handles.includes(declaration)))
        .map(({ model: { name } }) => name);
      return [{ ...model, visible: { ...visible, startedBy: startedBy.sort() } }];
    });
}

/**
 * The routes of perspectives and processes. Refuses those that are taken: `GET <route>/{key}` would be read as `GET
 * <route>/{id}`.
 */
export function acceptedRoutes({ perspectives, named }: Findings, reading: Reading): readonly ReadRoute[] {
  const reads = perspectives.flatMap(({ query, declaration }): readonly ReadRoute[] =>
    query === null ? [] : [{ route: query.route, declaration }],
  );
  const taken = new Map(reads.map(({ route, declaration }) => [route, declaration]));
  const others = named.flatMap(({ visible, declaration }): readonly ReadRoute[] => {
    if (visible === null) return [];
    const { route } = visible;
    const other = taken.get(route);
    taken.set(route, declaration);
    if (other === undefined) return [{ route, declaration }];
    const where = reading.locationOf(other);
    const why = `the route '${route}' of a process is also used at ${where}; choose another`;
    reading.error('SVC1072', declaration, why);
    return [];
  });
  return [...reads, ...others];
}
