import type { Long, Uuid } from '../../../contracts/scalars.js';
import type { HeldCursor, SetTimer, UnitLists } from '../../../contracts/unit-lists.js';
import type { StagedEvent, Unit } from '../../../contracts/unit-store.js';
import { newUuid } from '../../../contracts/uuid.js';

const empty: UnitLists = { handled: [], aside: [], timers: [], ended: [], reservations: [], processes: [] };

/** A line of events in one cursor, as its runner knows it. */
export class Line {
  readonly cursor: HeldCursor;
  readonly #underWay = new Set<Long>();
  #read: Long;

  constructor(name: string, { epoch, position }: { readonly epoch: number; readonly position: Long }) {
    this.#read = position;
    this.cursor = { name, epoch, settledTo: () => this.#lowest() };
  }

  next(): Long {
    this.#underWay.add(++this.#read);
    return this.#read;
  }

  settle(position: Long): void {
    this.#underWay.delete(position);
  }

  #lowest(): Long {
    for (const position of this.#underWay) return position - 1;
    return this.#read;
  }
}

/** What a unit of a variant has beside its events and audits; `step` counts the units of one caller. */
export type ListsOf = (line: Line, position: Long, step: number, previous: Uuid) => Partial<UnitLists>;

const mark = ({ cursor }: Line, position: Long) => [{ cursor, position, key: `key-${position}` }];

export const withMark: ListsOf = (line, position) => ({ handled: mark(line, position) });

export const withTimer: ListsOf = () => ({ timers: [timer(newUuid())] });

export const withReservation: ListsOf = () => ({
  reservations: [{ key: newUuid(), name: 'email', owner: newUuid(), take: true }],
});

/** A process starts and sets a timer; its next step ends the timer and sets another. */
export const withSagaStep: ListsOf = (line, position, step, previous) => {
  const isFirst = step % 2 === 0;
  const key = isFirst ? newUuid() : previous;
  return {
    handled: mark(line, position),
    timers: [timer(key)],
    ended: isFirst ? [] : [{ id: key }],
    processes: [
      {
        name: 'fulfilment',
        key,
        revision: isFirst ? 0 : 1,
        version: 1,
        status: 'running',
        state: isFirst ? 'reserving' : 'awaitingPayment',
        snapshot: { value: 'reserving', context: { orderId: key, reason: '' }, status: 'active' },
        trail: [{ at: position, event: 'OrderCreated', state: 'reserving' }],
      },
    ],
  };
};

const timer = (id: Uuid): SetTimer => ({
  id,
  kind: 'command',
  name: 'reminder',
  key: id,
  again: 'replace',
  due: { inMs: 900_000 },
  data: { type: 'RemindCustomer', body: { orderId: id } },
  context: { correlationId: id, scope: { tenantId: 'harbour' } },
});

/** The unit of an audited command: its event, and both audits. */
export function auditedUnit(lists: Partial<UnitLists> | undefined): Unit {
  const streamId = newUuid();
  const payload = { orderId: streamId, customerId: streamId, total: '104.97', note: 'x'.repeat(200) };
  const event: StagedEvent = { streamId, envelope: message('OrderCreated', payload) };
  const record = (messageType: string, of?: StagedEvent) => ({
    envelope: message(messageType, { originalEventType: 'OrderCreated', originalBody: payload }),
    of,
    publish: false,
  });
  return {
    events: [event],
    records: [record('EventAudited', event), record('CommandAudited')],
    expected: new Map([[streamId, 0]]),
    lists: lists === undefined ? undefined : { ...empty, ...lists },
  };
}

const message = (messageType: string, payload: object) =>
  ({ messageId: newUuid(), messageType, payload, timestamp: new Date().toISOString(), v: 1 }) as const;
