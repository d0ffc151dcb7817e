import {
  Command,
  CommandEndpoint,
  namedUuid,
  Problem,
  type Receptor,
  type UnitOfWork,
  type Uuid,
} from 'svc-runtime';
import { StockReleased, StockReserved } from './events.js';
import { loadOrder } from './order.js';

/** Without an endpoint: the fulfilment of an order sends it. */
@CommandEndpoint<ReserveStock, void>()
export class ReserveStock extends Command {
  orderId!: Uuid;
}

@CommandEndpoint<ReleaseStock, void>()
export class ReleaseStock extends Command {
  orderId!: Uuid;
}

const most = 1_000;

export class ReserveStockReceptor implements Receptor<ReserveStock, void> {
  async handle({ orderId }: ReserveStock, work: UnitOfWork): Promise<void> {
    const { lineItems } = await loadOrder(orderId, work);
    const tooMuch = lineItems.find(({ quantity }) => quantity > most);
    if (tooMuch !== undefined) {
      throw new Problem('out-of-stock', {
        status: 409,
        title: 'There is not enough in stock',
        detail: `There are ${most} of ${tooMuch.productId}, not ${tooMuch.quantity}.`,
      });
    }
    work.append(stockOf(orderId), StockReserved.of({ orderId }));
  }
}

/** Whichever of this and a payment is stored first wins: each looks at what the other writes. */
export class ReleaseStockReceptor implements Receptor<ReleaseStock, void> {
  async handle({ orderId }: ReleaseStock, work: UnitOfWork): Promise<void> {
    const { isPaid, status } = await loadOrder(orderId, work, true);
    if (isPaid || status === 'shipped') {
      throw new Problem('stock-sold', {
        status: 409,
        title: 'The stock is sold',
        detail: `Order ${orderId} is ${status}.`,
      });
    }
    work.append(stockOf(orderId), StockReleased.of({ orderId }));
  }
}

export async function isStockReleased(orderId: Uuid, work: UnitOfWork): Promise<boolean> {
  let isReleased = false;
  for await (const { messageType } of work.read(stockOf(orderId), { guard: true }))
    isReleased = messageType === 'StockReleased';
  return isReleased;
}

/** The stock of an order has a stream of its own, with an id that is found again. */
const stockOf = (orderId: Uuid): Uuid => namedUuid('stock', orderId);
