import {
  Command,
  CommandEndpoint,
  isEventOf,
  Permission,
  Problem,
  type Receptor,
  type UnitOfWork,
  type Uuid,
} from 'svc-runtime';
import { BookBorrowed } from './book-borrowed.js';

export interface BorrowBookResult {
  bookId: Uuid;
  status: 'borrowed';
}

@CommandEndpoint<BorrowBook, BorrowBookResult>({
  restRoute: '/loans',
  graphQLMutation: 'borrowBook',
  permission: Permission.write('loans'),
})
export class BorrowBook extends Command {
  bookId!: Uuid;
  /** @minLength 1 */
  reader!: string;
}

export class BorrowBookReceptor implements Receptor<BorrowBook, BorrowBookResult> {
  async handle({ bookId, reader }: BorrowBook, work: UnitOfWork): Promise<BorrowBookResult> {
    let onLoan = false;
    for await (const event of work.read(bookId)) onLoan = isEventOf(event, BookBorrowed);
    if (onLoan) throw new Problem('book-on-loan', { status: 409, title: 'The book is on loan' });
    work.append(bookId, BookBorrowed.of({ bookId, reader }));
    return { bookId, status: 'borrowed' };
  }
}
