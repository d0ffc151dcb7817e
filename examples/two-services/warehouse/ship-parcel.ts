import {
  Command,
  CommandEndpoint,
  Permission,
  Problem,
  type Receptor,
  type UnitOfWork,
  type Uuid,
} from 'svc-runtime';
import { ParcelShipped } from './events.js';

export interface ShipParcelResult {
  orderId: Uuid;
  status: 'shipped';
}

@CommandEndpoint<ShipParcel, ShipParcelResult>({
  restRoute: '/parcels/ship',
  graphQLMutation: 'shipParcel',
  permission: Permission.write('parcels'),
})
export class ShipParcel extends Command {
  orderId!: Uuid;
  /** @minLength 1 */
  carrier!: string;
}

export class ShipParcelReceptor implements Receptor<ShipParcel, ShipParcelResult> {
  async handle({ orderId, carrier }: ShipParcel, work: UnitOfWork): Promise<ShipParcelResult> {
    for await (const { messageType } of work.read(orderId)) {
      if (messageType !== ParcelShipped.name) continue;
      throw new Problem('parcel-shipped', {
        status: 409,
        title: 'The parcel has left',
        detail: `The parcel of order ${orderId} is already shipped.`,
      });
    }
    work.append(orderId, ParcelShipped.of({ orderId, carrier }));
    return { orderId, status: 'shipped' };
  }
}
