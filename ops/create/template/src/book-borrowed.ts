import { Event, type Uuid } from 'svc-runtime';

export class BookBorrowed extends Event {
  bookId!: Uuid;
  reader!: string;
}
