import { Command, type Event } from '../../contracts/message.js';
import type { ReceptorRegistration, UnitOfWork } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import {
  CancelOrder,
  OrderCancelled,
  ReleaseStock,
  ReserveStock,
  StockReleased,
  StockReserved,
} from './order-fulfilment.js';

/** Appends an event of an order to its stream. */
export class Happen extends Command {
  declare event: Event;
}

type Ordered = { readonly orderId: Uuid };
export type FulfilmentCommand = ReserveStock | ReleaseStock | CancelOrder;

/** Each appends its event; `check` may refuse. */
export function fulfilmentReceptors(
  check: (command: FulfilmentCommand) => void = () => undefined,
): readonly ReceptorRegistration[] {
  const appends =
    (eventOf: (orderId: Uuid) => Event) =>
    (command: Command, work: UnitOfWork): void => {
      check(command as FulfilmentCommand);
      const { orderId } = command as FulfilmentCommand;
      work.append(orderId, eventOf(orderId), { expectedPosition: 'any' });
    };
  const happen = ({ event }: Happen, work: UnitOfWork): void =>
    void work.append((event as Event & Ordered).orderId, event, { expectedPosition: 'any' });
  const reserved = (orderId: Uuid): Event => StockReserved.of({ orderId, reservationId: newUuid() });
  return [
    { command: Happen, receptor: { handle: happen } },
    { command: ReserveStock, receptor: { handle: appends(reserved) } },
    { command: ReleaseStock, receptor: { handle: appends((orderId) => StockReleased.of({ orderId })) } },
    { command: CancelOrder, receptor: { handle: appends((orderId) => OrderCancelled.of({ orderId })) } },
  ];
}
