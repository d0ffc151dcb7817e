import { codec, type Fault } from 'svc-runtime';
import { ArchiveOrder } from './archive-order.js';
import { CancelOrderRequest } from './cancel-order.js';
import { type Address, CreateOrder, type LineItem } from './create-order.js';
import { ShipOrder } from './ship-order.js';

const { array, decimal, int, invalid, object, optional, text, uuid } = codec;

export function decodeCreateOrder(value: unknown, path: string, faults: Fault[]): CreateOrder {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  const command = new CreateOrder();
  command.customerId = uuid(from['customerId'], `${path}/customerId`, faults);
  command.lineItems = array(from['lineItems'], `${path}/lineItems`, faults, decodeLineItem, { minItems: 1 });
  command.shippingAddress = decodeAddress(from['shippingAddress'], `${path}/shippingAddress`, faults);
  return command;
}

function decodeLineItem(value: unknown, path: string, faults: Fault[]): LineItem {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  return {
    productId: text(from['productId'], `${path}/productId`, faults),
    quantity: int(from['quantity'], `${path}/quantity`, faults, { minimum: 1 }),
    unitPrice: decimal(from['unitPrice'], `${path}/unitPrice`, faults),
  };
}

function decodeAddress(value: unknown, path: string, faults: Fault[]): Address {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  return {
    street: text(from['street'], `${path}/street`, faults),
    city: text(from['city'], `${path}/city`, faults),
    state: text(from['state'], `${path}/state`, faults),
    zipCode: text(from['zipCode'], `${path}/zipCode`, faults),
  };
}

export function decodeCancelOrderRequest(value: unknown, path: string, faults: Fault[]): CancelOrderRequest {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  const request = new CancelOrderRequest();
  request.orderId = uuid(from['orderId'], `${path}/orderId`, faults);
  const why = optional(from['why'], `${path}/why`, faults, text);
  if (why !== undefined) request.why = why;
  return request;
}

export function decodeShipOrder(value: unknown, path: string, faults: Fault[]): ShipOrder {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  const command = new ShipOrder();
  command.orderId = uuid(from['orderId'], `${path}/orderId`, faults);
  command.carrier = text(from['carrier'], `${path}/carrier`, faults);
  return command;
}

export function decodeArchiveOrder(value: unknown, path: string, faults: Fault[]): ArchiveOrder {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  const command = new ArchiveOrder();
  command.orderId = uuid(from['orderId'], `${path}/orderId`, faults);
  return command;
}
