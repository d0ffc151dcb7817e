// Written by svc generate; changes here are lost.
import type { ArchiveOrder, ArchiveOrderResult } from '../archive-order.js';
import type { Dispatcher, MutationContext } from 'svc-runtime/contracts';
import { MutationEndpointBase } from 'svc-runtime/endpoints';

/** mutation archiveOrder */
export class ArchiveOrderEndpoint extends MutationEndpointBase<ArchiveOrder, ArchiveOrderResult> {
  constructor(protected readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(command: ArchiveOrder, signal: AbortSignal, context: MutationContext): Promise<ArchiveOrderResult> {
    return this.dispatcher.localInvoke<ArchiveOrderResult>(command, signal, context);
  }
}
