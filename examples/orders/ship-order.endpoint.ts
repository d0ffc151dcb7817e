import { ShipOrderEndpoint as Generated } from './generated/ship-order.endpoint.js';
import { CarrierDown } from './receptors.js';
import type { ShipOrder, ShipOrderResult } from './ship-order.js';

export class ShipOrderEndpoint extends Generated {
  /** A carrier that is down does not fail the request: the parcel is queued. */
  protected override onError({ orderId }: ShipOrder, error: unknown): ShipOrderResult | null {
    return error instanceof CarrierDown ? { orderId, status: 'queued' } : null;
  }
}
