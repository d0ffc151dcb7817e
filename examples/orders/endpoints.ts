import {
  type Dispatcher,
  MutationEndpointBase,
  type MutationContext,
  RestMutationEndpointBase,
} from 'svc-runtime';
import type { ArchiveOrder, ArchiveOrderResult } from './archive-order.js';
import { CancelOrder, type CancelOrderRequest, type CancelOrderResult } from './cancel-order.js';
import type { CreateOrder, CreateOrderResult } from './create-order.js';
import { CarrierDown } from './receptors.js';
import type { ShipOrder, ShipOrderResult } from './ship-order.js';

export class CreateOrderEndpoint extends RestMutationEndpointBase<CreateOrder, CreateOrderResult> {
  constructor(private readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(command: CreateOrder, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke<CreateOrderResult>(command, signal, context);
  }
}

export class CancelOrderEndpoint extends RestMutationEndpointBase<
  CancelOrder,
  CancelOrderResult,
  CancelOrderRequest
> {
  constructor(private readonly dispatcher: Dispatcher) {
    super();
  }

  protected override mapRequestToCommand({ orderId, why }: CancelOrderRequest): CancelOrder {
    return CancelOrder.of({ orderId, reason: why ?? 'no reason given' });
  }

  protected override dispatchCommand(command: CancelOrder, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke<CancelOrderResult>(command, signal, context);
  }
}

export class ShipOrderEndpoint extends RestMutationEndpointBase<ShipOrder, ShipOrderResult> {
  constructor(private readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(command: ShipOrder, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke<ShipOrderResult>(command, signal, context);
  }

  /** A carrier that is down is no reason to fail: the parcel waits. */
  protected override onError({ orderId }: ShipOrder, error: unknown): ShipOrderResult | null {
    return error instanceof CarrierDown ? { orderId, status: 'queued' } : null;
  }
}

export class ArchiveOrderEndpoint extends MutationEndpointBase<ArchiveOrder, ArchiveOrderResult> {
  constructor(private readonly dispatcher: Dispatcher) {
    super();
  }

  protected override dispatchCommand(command: ArchiveOrder, signal: AbortSignal, context: MutationContext) {
    return this.dispatcher.localInvoke<ArchiveOrderResult>(command, signal, context);
  }
}
