import type { Dispatcher } from '../contracts/receptor.js';
import { Problem } from '../contracts/problems.js';

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
