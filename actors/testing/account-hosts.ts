import type { AnyDecider } from '../../contracts/decider.js';
import type { ReadRange, StoredEvent } from '../../contracts/event-store.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { Upcasters } from '../../contracts/upcaster.js';
import { DeciderStates, type DeciderStatesOptions } from '../../runtime/deciders/decider-states.js';
import { Account, Book, Close } from '../../runtime/testing/account-decider.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { LocalDispatcher } from '../commands/dispatcher.js';
import { deciderReceptors, shareStates } from '../deciders/decider-receptors.js';

/** Counts what hosts ask of a store. */
export class CountedStore implements UnitStore {
  reads = 0;
  eventsRead = 0;
  conflicts = 0;
  readonly upcasters: Upcasters;
  readonly append;
  readonly readAll;

  constructor(readonly inner: UnitStore = new InMemoryEventStore()) {
    this.upcasters = inner.upcasters ?? new Upcasters();
    this.append = inner.append.bind(inner);
    this.readAll = inner.readAll.bind(inner);
  }

  async commit(unit: Unit, signal?: AbortSignal): Promise<void> {
    try {
      await this.inner.commit(unit, signal);
    } catch (error) {
      this.conflicts++;
      throw error;
    }
  }

  async *read(streamId: Uuid, range?: ReadRange): AsyncIterable<StoredEvent> {
    this.reads++;
    for await (const event of this.inner.read(streamId, range)) {
      this.eventsRead++;
      yield event;
    }
  }

  lastPosition(streamId: Uuid): Promise<Long> {
    return this.inner.lastPosition(streamId);
  }
}

/** A host of accounts, with a cache of its own. */
export function accountHost(
  store: UnitStore,
  options: DeciderStatesOptions = {},
  decider: AnyDecider = new Account(),
) {
  const states = new DeciderStates({ upcasters: store.upcasters, ...options });
  const receptors = deciderReceptors({ decider, results: { Book: 'Int' } });
  shareStates(receptors, states);
  const dispatcher = new LocalDispatcher({ store });
  dispatcher.register(receptors);
  return {
    states,
    dispatcher,
    book: (accountId: Uuid, amount: number) => dispatcher.localInvoke<number>(Book.of({ accountId, amount })),
    close: (accountId: Uuid) => dispatcher.localInvoke<void>(Close.of({ accountId })),
  };
}

/** Events that no decider of this host has appended. */
export const appendBooked = (store: UnitStore, accountId: Uuid, ...amounts: readonly number[]) =>
  store.append(
    accountId,
    amounts.map((amount) => ({
      messageId: newUuid(),
      messageType: 'Booked',
      payload: { amount },
      timestamp: new Date().toISOString(),
      v: 1,
    })),
  );
