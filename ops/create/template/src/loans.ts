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
  readonly columns = {
    reader: { type: 'text', of: ({ reader }: Loan) => reader },
  } as const;

  initial(): Loan {
    return { bookId: '', reader: '', borrowedAt: '' };
  }

  apply(_: Loan, { payload: { bookId, reader }, occurredAt }: StoredEvent<BookBorrowed>): Loan {
    return { bookId, reader, borrowedAt: occurredAt };
  }
}
