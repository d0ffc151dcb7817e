import { readNamesOf } from '../../read-names.js';
import { visibleProcesses } from '../model/reachable-types.js';
import type { CommandModel, ServiceModel, VisibleModel } from '../model/service-model.js';
import { clientProcessSupport } from './client-process-support.js';
import type { ClientReads } from './client-reads.js';

/** What a client has for the processes that have a route. */
export function clientProcesses(model: ServiceModel): ClientReads {
  const processes = visibleProcesses(model).flatMap((visible) => {
    const name = readNamesOf(visible.route)?.list;
    return name === undefined ? [] : [{ visible, name }];
  });
  return {
    support: processes.length === 0 ? '' : clientProcessSupport,
    members: processes
      .map(({ visible, name }) => `  readonly ${name}: Processes<${typesOf(visible)}>;\n`)
      .join(''),
    assignments: processes
      .map(
        ({ visible, name }) =>
          `    this.${name} = new Processes(this.#call, ${JSON.stringify(visible.route)});\n`,
      )
      .join(''),
  };
}

/** What a command starts. */
export interface StartedReads {
  /** The type of what its method returns beside the result. */
  readonly type: string;
  /** As the text of a list. */
  readonly routes: string;
}

/** Undefined for a command that starts nothing that can be seen, or is sent as a mutation. */
export function startedReads(
  { name, restRoute }: CommandModel,
  model: ServiceModel,
): StartedReads | undefined {
  const started = visibleProcesses(model).filter(({ startedBy }) => startedBy.includes(name));
  if (restRoute === null || started.length === 0) return undefined;
  return {
    type: started.map((visible) => `StartedProcess<${typesOf(visible)}>`).join(' | '),
    routes: JSON.stringify(started.map(({ route }) => route)),
  };
}

const typesOf = ({ instance, state }: VisibleModel): string => `${instance}, ${state ?? 'string'}`;
