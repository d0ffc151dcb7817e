import {
  Command,
  CommandEndpoint,
  type Decider,
  type Decimal,
  Decimals,
  type Int,
  isEventOf,
  type StoredEvent,
  type Uuid,
} from 'svc-runtime';
import { BooksClosed, SaleBooked } from './events.js';

@CommandEndpoint<BookSale, void>()
export class BookSale extends Command {
  orderId!: Uuid;
  amount!: Decimal;
}

@CommandEndpoint<CloseBooks, void>()
export class CloseBooks extends Command {
  /** Such as 2026-01-31. */
  day!: string;
}

/** Since the books were closed last. */
export interface BooksState {
  readonly sales: Int;
  readonly takings: Decimal;
  readonly closedOn: string;
}

const commands = { BookSale, CloseBooks };
const booksId = '018f0000-0000-7000-8000-0000000b0085';

/** The books of the shop: one stream for all sales. A decider keeps its state, so that a long stream costs nothing. */
export class Books implements Decider<BooksState, SaleBooked | BooksClosed, typeof commands> {
  readonly name = 'books';
  readonly version = 1;
  readonly commands = commands;

  stream(): Uuid {
    return booksId;
  }

  initial(): BooksState {
    return { sales: 0, takings: '0', closedOn: '' };
  }

  evolve(state: BooksState, event: StoredEvent<SaleBooked | BooksClosed>): BooksState {
    if (isEventOf(event, BooksClosed)) return { ...this.initial(), closedOn: event.payload.day };
    if (!isEventOf(event, SaleBooked)) return state;
    const { sales, takings } = state;
    return { ...state, sales: sales + 1, takings: Decimals.add(takings, event.payload.amount) };
  }

  readonly decide = {
    BookSale: ({ orderId, amount }: BookSale) => SaleBooked.of({ orderId, amount }),
    CloseBooks: ({ day }: CloseBooks, { sales, takings, closedOn }: BooksState) =>
      day > closedOn ? BooksClosed.of({ day, sales, takings }) : [],
  };
}
