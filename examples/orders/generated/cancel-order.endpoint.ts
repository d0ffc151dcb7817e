// Written by svc generate; changes here are lost.
import type { CancelOrder, CancelOrderRequest, CancelOrderResult } from '../cancel-order.js';
import type { Dispatcher, MutationContext } from 'svc-runtime/contracts';
import { RestMutationEndpointBase } from 'svc-runtime/endpoints';

/** POST /orders/cancel · mutation cancelOrder */
export abstract class CancelOrderEndpoint extends RestMutationEndpointBase<CancelOrder, CancelOrderResult, CancelOrderRequest> {
  constructor(protected readonly dispatcher: Dispatcher) {
    super();
  }

  protected abstract override mapRequestToCommand(
    request: CancelOrderRequest,
    context: MutationContext,
    signal: AbortSignal,
  ): CancelOrder | Promise<CancelOrder>;

  protected override dispatchCommand(command: CancelOrder, signal: AbortSignal, context: MutationContext): Promise<CancelOrderResult> {
    return this.dispatcher.localInvoke<CancelOrderResult>(command, signal, context);
  }
}
