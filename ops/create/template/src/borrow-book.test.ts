import { test } from 'node:test';
import { given } from 'svc-runtime/testing';
import { BookBorrowed } from './book-borrowed.js';
import { BorrowBook, BorrowBookReceptor } from './borrow-book.js';

const bookId = '018f0000-0000-7000-8000-000000000001';
const borrowBook = BorrowBook.of({ bookId, reader: 'Ada' });
const bookBorrowed = BookBorrowed.of({ bookId, reader: 'Ada' });

test('a book can be borrowed', () =>
  given(new BorrowBookReceptor()).when(borrowBook).then([bookId, bookBorrowed]));

test('a book on loan cannot be borrowed again', () =>
  given(new BorrowBookReceptor(), [bookId, bookBorrowed]).when(borrowBook).thenRefuses('book-on-loan'));
