// Written by svc generate; changes here are lost.
import type { ShipOrder, ShipOrderResult } from '../ship-order.js';
import type { Dispatcher, MutationContext } from 'svc-runtime/contracts';
import { RestMutationEndpointBase } from 'svc-runtime/endpoints';

/** POST /orders/ship */
export class ShipOrderEndpoint extends RestMutationEndpointBase<ShipOrder, ShipOrderResult> {
  constructor(protected readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(command: ShipOrder, signal: AbortSignal, context: MutationContext): Promise<ShipOrderResult> {
    return this.dispatcher.localInvoke<ShipOrderResult>(command, signal, context);
  }
}
