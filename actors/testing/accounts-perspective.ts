import type { StoredEvent } from '../../contracts/event-store.js';
import { Event, type Envelope } from '../../contracts/message.js';
import type { AnyPerspective, Perspective } from '../../contracts/perspective.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';

/** A small domain for perspectives: amounts are booked on accounts, and their order matters to the model. */
export class Booked extends Event {
  readonly amount: number = 0;
  readonly text: string = '';
}
class Closed extends Event {}

export interface Account {
  readonly amounts: readonly number[];
  readonly sum: number;
}

/** Records the order in which it applied events; `poison` fails, `closed` deletes the row. */
export const accounts = (over: Partial<Perspective<Account>> = {}): AnyPerspective =>
  ({
    name: 'accounts',
    events: [Booked, Closed],
    initial: () => ({ amounts: [], sum: 0 }),
    apply: (model: Account, event: StoredEvent<Event>) => {
      if (event.messageType === 'Closed') return null;
      const { amount, text } = event.payload as Booked;
      if (text === 'poison') throw new RangeError('cannot book poison');
      return { amounts: [...model.amounts, amount], sum: model.sum + amount };
    },
    columns: { sum: { type: 'numeric', of: (model: Account) => model.sum } },
    ...over,
  }) as unknown as AnyPerspective;

export const booked = (amount: number, text = '', tenantId?: string): Envelope => ({
  messageId: newUuid(),
  messageType: 'Booked',
  payload: { amount, text },
  timestamp: new Date().toISOString(),
  ...(tenantId === undefined ? {} : { scope: { tenantId } }),
  v: 1,
});

export const closed = (): Envelope => ({ ...booked(0), messageType: 'Closed', payload: {} });

export const account = (): Uuid => newUuid();
