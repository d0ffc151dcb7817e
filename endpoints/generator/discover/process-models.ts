import { type Diagnostics, locationOf } from '../diagnostics.js';
import type { ProcessModel } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { FoundReceptor } from './file-findings.js';
import type { FoundNamed } from './named-classes.js';
import type { FoundPerspective } from './perspectives.js';
import { type ReadRoute, routesOf } from './read-name-conflicts.js';
import type { RegisteredClasses } from './registered-classes.js';

export interface Handled {
  readonly commands: readonly FoundCommand[];
  readonly receptors: readonly FoundReceptor[];
}

/** With the commands that start them. */
export function processModels(
  named: readonly FoundNamed[],
  constructions: RegisteredClasses,
  { commands, receptors }: Handled,
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
export function acceptedRoutes(
  perspectives: readonly FoundPerspective[],
  named: readonly FoundNamed[],
  root: string,
  diagnostics: Diagnostics,
): readonly ReadRoute[] {
  const reads = routesOf(perspectives);
  const taken = new Map(reads.map(({ route, declaration }) => [route, declaration]));
  const others = named.flatMap(({ visible, declaration }): readonly ReadRoute[] => {
    if (visible === null) return [];
    const { route } = visible;
    const other = taken.get(route);
    taken.set(route, declaration);
    if (other === undefined) return [{ route, declaration }];
    const where = locationOf(other, root);
    const why = `the route '${route}' of a process is also used at ${where}; choose another`;
    diagnostics.error('SVC1072', declaration, why);
    return [];
  });
  return [...reads, ...others];
}
