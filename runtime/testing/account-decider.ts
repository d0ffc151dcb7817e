import type { Decider } from '../../contracts/decider.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Int, Uuid } from '../../contracts/scalars.js';

export class Booked extends Event {
  amount!: Int;
}
export class Closed extends Event {
  reason?: string;
}
export class Book extends Command {
  accountId!: Uuid;
  amount!: Int;
}
export class Close extends Command {
  accountId!: Uuid;
}

export interface AccountState {
  readonly balance: Int;
  readonly open: boolean;
}

const commands = { Book, Close };

/** An account that must not be overdrawn, and is closed when it is empty. */
export class Account implements Decider<AccountState, Booked | Closed, typeof commands> {
  readonly name: string = 'account';
  readonly version: number = 1;
  readonly commands = commands;

  stream({ accountId }: Book | Close): Uuid {
    return accountId;
  }

  initial(): AccountState {
    return { balance: 0, open: true };
  }

  evolve(state: AccountState, { messageType, payload }: StoredEvent<Booked | Closed>): AccountState {
    if (messageType === 'Closed') return { ...state, open: false };
    return messageType === 'Booked'
      ? { ...state, balance: state.balance + (payload as Booked).amount }
      : state;
  }

  readonly decide = {
    Book: ({ amount }: Book, { balance, open }: AccountState) => {
      if (!open) throw new Problem('account-closed', { status: 409 });
      if (balance + amount < 0) throw new Problem('overdrawn', { status: 409 });
      return { events: Booked.of({ amount }), result: balance + amount };
    },
    Close: (_command: Close, { balance, open }: AccountState): readonly Closed[] => {
      if (balance !== 0) throw new Problem('not-empty', { status: 409 });
      return open ? [Closed.of({})] : [];
    },
  };
}
