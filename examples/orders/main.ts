import { endpoint, receptor, type ServiceDefinition } from 'svc-runtime';
import { ArchiveOrder } from './archive-order.js';
import { CancelOrder } from './cancel-order.js';
import {
  decodeArchiveOrder,
  decodeCancelOrderRequest,
  decodeCreateOrder,
  decodeShipOrder,
} from './codecs.js';
import { CreateOrder } from './create-order.js';
import {
  ArchiveOrderEndpoint,
  CancelOrderEndpoint,
  CreateOrderEndpoint,
  ShipOrderEndpoint,
} from './endpoints.js';
import {
  ArchiveOrderReceptor,
  CancelOrderReceptor,
  CreateOrderReceptor,
  ShipOrderReceptor,
} from './receptors.js';
import { ShipOrder } from './ship-order.js';

const orders: ServiceDefinition = {
  name: 'orders',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: CreateOrder,
        endpoint: new CreateOrderEndpoint(dispatcher),
        decode: decodeCreateOrder,
      }),
      endpoint({
        command: CancelOrder,
        endpoint: new CancelOrderEndpoint(dispatcher),
        decode: decodeCancelOrderRequest,
      }),
      endpoint({ command: ShipOrder, endpoint: new ShipOrderEndpoint(dispatcher), decode: decodeShipOrder }),
      endpoint({
        command: ArchiveOrder,
        endpoint: new ArchiveOrderEndpoint(dispatcher),
        decode: decodeArchiveOrder,
      }),
    ],
    receptors: [
      receptor(CreateOrder, new CreateOrderReceptor()),
      receptor(CancelOrder, new CancelOrderReceptor()),
      receptor(ShipOrder, new ShipOrderReceptor()),
      receptor(ArchiveOrder, new ArchiveOrderReceptor()),
    ],
  }),
};

export default orders;
