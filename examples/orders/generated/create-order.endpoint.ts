// Written by svc generate; changes here are lost.
import type { CreateOrder, CreateOrderResult } from '../create-order.js';
import type { Dispatcher, MutationContext } from 'svc-runtime/contracts';
import { RestMutationEndpointBase } from 'svc-runtime/endpoints';

/** POST /orders · mutation createOrder */
export class CreateOrderEndpoint extends RestMutationEndpointBase<CreateOrder, CreateOrderResult> {
  constructor(protected readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(command: CreateOrder, signal: AbortSignal, context: MutationContext): Promise<CreateOrderResult> {
    return this.dispatcher.localInvoke<CreateOrderResult>(command, signal, context);
  }
}
