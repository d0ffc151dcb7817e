import type { Uuid } from '../../../contracts/scalars.js';

/** What each account has at first: none of them is ever empty. */
export const opening = 1_000_000;

/** One way to move money. */
export interface Way {
  readonly name: string;
  /** Rejects with `stream-conflict` when the money could not be moved. */
  readonly transfer: (from: Uuid, to: Uuid) => Promise<unknown>;
  /** How often a transfer was tried so far. */
  readonly tries: () => number;
}

/** A database with accounts. */
export interface Bank {
  readonly ways: readonly Way[];
  /** The balances of all accounts together. */
  total(): Promise<number>;
  close(): Promise<void>;
}
