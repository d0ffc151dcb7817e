import { Command, Event, SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';

export class OrderCreated extends Event {
  declare total: string;
}
export class OrderCancelled extends Event {
  declare reason: string;
  declare note?: string;
}
export class RefundAsked extends Event {}
class CancelRefused extends SystemEvent {
  declare why: string;
}
export class CancelOrder extends Command {
  declare orderId: Uuid;
  declare reason: string;
}

export const orderId = newUuid();
export const refundId = newUuid();
export const notified: string[] = [];

/** Cancels an order once, requests a refund in another stream, and notifies someone. */
class CancelOrderReceptor implements Receptor<CancelOrder, { status: string; by: string | undefined }> {
  async handle({ orderId: id, reason }: CancelOrder, work: UnitOfWork) {
    const types: string[] = [];
    for await (const { messageType } of work.read(id)) types.push(messageType);
    if (types.length === 0) throw new Problem('order-not-found', { status: 404 });
    if (types.includes('OrderCancelled')) throw new Problem('order-closed', { status: 409 });
    if (reason === 'bug') throw new TypeError('broken');
    work.append(id, OrderCancelled.of({ reason }));
    work.append(refundId, new RefundAsked());
    if (reason === 'stale') work.append(refundId, new RefundAsked(), { expectedPosition: 7 });
    if (reason === 'fraud') work.emit(CancelRefused.of({ why: reason }));
    work.defer(() => {
      if (reason === 'late') throw new Problem('order-closed');
      notified.push(reason);
    });
    return { status: 'cancelled', by: work.context.scope.userId };
  }
}

export const receptor = new CancelOrderReceptor();
export const anOrder = [orderId, OrderCreated.of({ total: '9.90' })] as const;
export const cancel = (reason = 'late') => CancelOrder.of({ orderId, reason });
export const asked = new RefundAsked();
