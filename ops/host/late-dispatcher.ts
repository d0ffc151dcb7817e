import { Problem } from '../../contracts/problems.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Registry, ServiceDefinition } from '../../endpoints/registry.js';

/** Stands for a dispatcher that is not there yet, so that an application can be put together before its database is. */
export class LateDispatcher implements Dispatcher {
  #dispatcher: Dispatcher | undefined;

  becomes(dispatcher: Dispatcher): void {
    this.#dispatcher = dispatcher;
  }

  localInvoke: Dispatcher['localInvoke'] = (command, signal, context) =>
    this.#dispatcher === undefined
      ? Promise.reject(new Problem('draining', { detail: 'The host has not started yet.', retryAfter: 1 }))
      : this.#dispatcher.localInvoke(command, signal, context);
}

/** The parts of an application, and what its endpoints will dispatch to. */
export function assembled(definition: ServiceDefinition): {
  readonly late: LateDispatcher;
  readonly registry: Registry;
} {
  const late = new LateDispatcher();
  return { late, registry: definition.create(late) };
}
