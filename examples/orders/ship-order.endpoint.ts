import { ShipOrderEndpoint as Generated } from './generated/ship-order.endpoint.js';
import { CarrierDown } from './receptors.js';
import type { ShipOrder, ShipOrderResult } from './ship-order.js';

export class ShipOrderEndpoint extends Generated {
  /** A carrier that is down is no reason to fail: the parcel waits. */
  protected override onError({ orderId }: ShipOrder, error: unknown): ShipOrderResult | null {
    return error instanceof CarrierDown ? { orderId, status: 'queued' } : null;
  }
}
