// Written by svc generate; changes here are lost.
import { ArchiveOrder, type ArchiveOrderResult } from '../archive-order.js';
import { CancelOrderRequest, type CancelOrderResult } from '../cancel-order.js';
import { CreateOrder, type Address, type CreateOrderResult, type LineItem } from '../create-order.js';
import { ShipOrder, type ShipOrderResult } from '../ship-order.js';
import { codec } from 'svc-runtime/contracts';

const { array, decimal, encodeText, int, invalid, object, text, uuid } = codec;

const names1 = new Set(['street', 'city', 'state', 'zipCode']);
const names2 = new Set(['orderId']);
const names3 = new Set(['orderId', 'why']);
const names4 = new Set(['customerId', 'lineItems', 'shippingAddress']);
const limits5 = { minItems: 1 };
const names6 = new Set(['productId', 'quantity', 'unitPrice']);
const limits7 = { minimum: 1 };
const names8 = new Set(['orderId', 'carrier']);

function decodeAddress(value: unknown, path: string, faults: codec.Fault[]): Address {
  const from = object(value, path, faults, names1);
  if (from === undefined) return invalid;
  const to: codec.Writable<Address> = {
    street: text(from['street'], `${path}/street`, faults),
    city: text(from['city'], `${path}/city`, faults),
    state: text(from['state'], `${path}/state`, faults),
    zipCode: text(from['zipCode'], `${path}/zipCode`, faults),
  };
  return to;
}

export function decodeArchiveOrder(value: unknown, path: string, faults: codec.Fault[]): ArchiveOrder {
  const from = object(value, path, faults, names2);
  if (from === undefined) return invalid;
  const made = new ArchiveOrder();
  const to: codec.Writable<ArchiveOrder> = made;
  to.orderId = uuid(from['orderId'], `${path}/orderId`, faults);
  return made;
}

export function decodeCancelOrderRequest(value: unknown, path: string, faults: codec.Fault[]): CancelOrderRequest {
  const from = object(value, path, faults, names3);
  if (from === undefined) return invalid;
  const made = new CancelOrderRequest();
  const to: codec.Writable<CancelOrderRequest> = made;
  to.orderId = uuid(from['orderId'], `${path}/orderId`, faults);
  if (from['why'] !== undefined) to.why = text(from['why'], `${path}/why`, faults);
  return made;
}

export function decodeCreateOrder(value: unknown, path: string, faults: codec.Fault[]): CreateOrder {
  const from = object(value, path, faults, names4);
  if (from === undefined) return invalid;
  const made = new CreateOrder();
  const to: codec.Writable<CreateOrder> = made;
  to.customerId = uuid(from['customerId'], `${path}/customerId`, faults);
  to.lineItems = array(from['lineItems'], `${path}/lineItems`, faults, decodeLineItem, limits5);
  to.shippingAddress = decodeAddress(from['shippingAddress'], `${path}/shippingAddress`, faults);
  return made;
}

function decodeLineItem(value: unknown, path: string, faults: codec.Fault[]): LineItem {
  const from = object(value, path, faults, names6);
  if (from === undefined) return invalid;
  const to: codec.Writable<LineItem> = {
    productId: text(from['productId'], `${path}/productId`, faults),
    quantity: int(from['quantity'], `${path}/quantity`, faults, limits7),
    unitPrice: decimal(from['unitPrice'], `${path}/unitPrice`, faults),
  };
  return to;
}

export function decodeShipOrder(value: unknown, path: string, faults: codec.Fault[]): ShipOrder {
  const from = object(value, path, faults, names8);
  if (from === undefined) return invalid;
  const made = new ShipOrder();
  const to: codec.Writable<ShipOrder> = made;
  to.orderId = uuid(from['orderId'], `${path}/orderId`, faults);
  to.carrier = text(from['carrier'], `${path}/carrier`, faults);
  return made;
}

export function encodeArchiveOrderResult(value: ArchiveOrderResult): string {
  return '{"orderId":' + encodeText(value.orderId) +
    ',"status":' + encodeText(value.status) +
    '}';
}

export function encodeCancelOrderResult(value: CancelOrderResult): string {
  return '{"orderId":' + encodeText(value.orderId) +
    ',"status":' + encodeText(value.status) +
    '}';
}

export function encodeCreateOrderResult(value: CreateOrderResult): string {
  return '{"orderId":' + encodeText(value.orderId) +
    ',"total":' + encodeText(value.total) +
    ',"status":' + encodeText(value.status) +
    '}';
}

export function encodeShipOrderResult(value: ShipOrderResult): string {
  return '{"orderId":' + encodeText(value.orderId) +
    ',"status":' + encodeText(value.status) +
    '}';
}
