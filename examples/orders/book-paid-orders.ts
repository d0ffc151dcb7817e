import type { Reaction, StoredEvent } from 'svc-runtime';
import { BookSale } from './books.js';
import { OrderPaid } from './events.js';

export class BookPaidOrders implements Reaction<OrderPaid> {
  readonly name = 'book-paid-orders';
  readonly events = [OrderPaid];

  /** One after the other: all of them write to one stream. */
  key(): string {
    return 'books';
  }

  react({ payload: { orderId, total } }: StoredEvent<OrderPaid>): BookSale {
    return BookSale.of({ orderId, amount: total });
  }
}
