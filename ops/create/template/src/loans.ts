import { Permission, type Perspective, type StoredEvent, type Timestamp, type Uuid } from 'svc-runtime';
import { BookBorrowed } from './book-borrowed.js';

export interface Loan {
  bookId: Uuid;
  reader: string;
  borrowedAt: Timestamp;
}

/** The books on loan, one row each: `GET /loans` and `GET /loans/{bookId}`. */
export class Loans implements Perspective<Loan, BookBorrowed> {
  readonly name = 'loans';
  readonly route = '/loans';
  readonly permission = Permission.read('loans');
  readonly events = [BookBorrowed];
  readonly columns = { reader: 'text' } as const;

  apply(_: unknown, { payload: { bookId, reader }, occurredAt }: StoredEvent<BookBorrowed>): Loan {
    return { bookId, reader, borrowedAt: occurredAt };
  }
}
