import assert from 'node:assert/strict';
import { test } from 'node:test';
import { given, occurrences } from 'svc-runtime/testing';
import { BookPaidOrders } from './book-paid-orders.js';
import { Books, BookSale, CloseBooks } from './books.js';
import { BooksClosed, OrderPaid, SaleBooked } from './events.js';
import { NightlyClose } from './nightly-close.js';

const orderId = '018f0000-0000-7000-8000-000000000001';
const books = new Books();
const sold = (amount: string) => SaleBooked.of({ orderId, amount });
const closed = BooksClosed.of({ day: '2026-01-30', sales: 1, takings: '5.00' });

test('an order that is paid is booked', () =>
  given(new BookPaidOrders())
    .when(OrderPaid.of({ orderId, total: '3.30' }))
    .thenSends(BookSale.of({ orderId, amount: '3.30' })));

test('the books are closed with what was sold since the last time', () =>
  given(books, [books.stream(), sold('5.00'), closed, sold('3.30'), sold('0.205')])
    .when(CloseBooks.of({ day: '2026-01-31' }))
    .then([books.stream(), BooksClosed.of({ day: '2026-01-31', sales: 2, takings: '3.505' })]));

test('the books of a day are closed once', () =>
  given(books, [books.stream(), closed, sold('3.30')])
    .when(CloseBooks.of({ day: '2026-01-30' }))
    .thenNothing());

test('the books are closed at half past two every night, in summer and winter', () => {
  const nightly = new NightlyClose();
  const nights = occurrences(nightly, '2026-03-28T00:00:00Z', 2);
  assert.deepEqual(nights, ['2026-03-28T02:30:00.000Z', '2026-03-29T01:30:00.000Z']);
  assert.deepEqual(
    nights.map((due) => nightly.command(due).day),
    ['2026-03-28', '2026-03-29'],
  );
});
