// Written by svc generate; changes here are lost.
import { ArchiveOrder, type ArchiveOrderResult } from '../archive-order.js';
import { CancelOrderEndpoint } from '../cancel-order.endpoint.js';
import { CancelOrder, type CancelOrderResult } from '../cancel-order.js';
import { CreateOrder, type CreateOrderResult } from '../create-order.js';
import { OrderArchived, OrderCancelled, OrderCreated, OrderShipped } from '../events.js';
import { ArchiveOrderReceptor, CancelOrderReceptor, CreateOrderReceptor, ShipOrderReceptor } from '../receptors.js';
import { ShipOrderEndpoint } from '../ship-order.endpoint.js';
import { ShipOrder, type ShipOrderResult } from '../ship-order.js';
import { ArchiveOrderEndpoint } from './archive-order.endpoint.js';
import { decodeArchiveOrder, decodeCancelOrderRequest, decodeCreateOrder, decodeShipOrder, encodeArchiveOrderResult, encodeCancelOrderResult, encodeCreateOrderResult, encodeShipOrderResult } from './codecs.js';
import { CreateOrderEndpoint } from './create-order.endpoint.js';
import { openApi, schema } from './documents.js';
import type { Dispatcher } from 'svc-runtime/contracts';
import { endpoint, receptor, type Registry } from 'svc-runtime/endpoints';

/** What the constructors of endpoints, receptors and perspectives ask for. */
export type Dependencies = Record<string, never>;

export function create(dispatcher: Dispatcher, _dependencies: Dependencies = {}): Registry {
  return {
    endpoints: [
      endpoint({ command: ArchiveOrder, endpoint: new ArchiveOrderEndpoint(dispatcher), decode: decodeArchiveOrder, encode: encodeArchiveOrderResult }),
      endpoint({ command: CancelOrder, endpoint: new CancelOrderEndpoint(dispatcher), decode: decodeCancelOrderRequest, encode: encodeCancelOrderResult }),
      endpoint({ command: CreateOrder, endpoint: new CreateOrderEndpoint(dispatcher), decode: decodeCreateOrder, encode: encodeCreateOrderResult }),
      endpoint({ command: ShipOrder, endpoint: new ShipOrderEndpoint(dispatcher), decode: decodeShipOrder, encode: encodeShipOrderResult }),
    ],
    receptors: [
      receptor<ArchiveOrder, ArchiveOrderResult>(ArchiveOrder, new ArchiveOrderReceptor()),
      receptor<CancelOrder, CancelOrderResult>(CancelOrder, new CancelOrderReceptor()),
      receptor<CreateOrder, CreateOrderResult>(CreateOrder, new CreateOrderReceptor()),
      receptor<ShipOrder, ShipOrderResult>(ShipOrder, new ShipOrderReceptor()),
    ],
    perspectives: [],
    events: [
      OrderArchived,
      OrderCancelled,
      OrderCreated,
      OrderShipped,
    ],
    redactions: [],
    openApi,
    schema,
  };
}
