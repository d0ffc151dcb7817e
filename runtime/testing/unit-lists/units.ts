import assert from 'node:assert/strict';
import { Problem } from '../../../contracts/problems.js';
import {
  partitions,
  type Progress,
  type ReactionStore,
  type StoredTimer,
} from '../../../contracts/reaction-store.js';
import type { Long, Uuid } from '../../../contracts/scalars.js';
import type {
  AsideStep,
  HeldCursor,
  ProcessStep,
  ReservationStep,
  SetTimer,
  UnitLists,
} from '../../../contracts/unit-lists.js';
import type { StagedEvent, Unit, UnitStore } from '../../../contracts/unit-store.js';
import { newUuid } from '../../../contracts/uuid.js';
import type { contractRules } from '../../kit/contract-rules.js';

export interface StoreWithLists {
  readonly store: UnitStore;
  readonly reactions: ReactionStore;
}

export type Rule = ReturnType<typeof contractRules<StoreWithLists>>;

export interface TestCursor extends HeldCursor {
  settled: Long;
}

export const placeOf = ({ position, done }: Progress): Omit<Progress, 'epoch'> => ({ position, done });

export const heldCursor = (name: string, epoch: number): TestCursor => ({
  name,
  epoch,
  settled: 0,
  settledTo() {
    return this.settled;
  },
});

export async function hold({ reactions }: StoreWithLists, name = 'line'): Promise<TestCursor> {
  return heldCursor(name, (await reactions.takeCursor(name, 'beginning')).epoch);
}

/** Commits the units at once: a store may take all of them in one flush. */
export const answers = ({ store }: StoreWithLists, units: readonly Unit[]): Promise<string[]> =>
  Promise.all(
    units.map((one) =>
      store.commit(one).then(
        () => 'stored',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      ),
    ),
  );

export const emptyLists: UnitLists = {
  handled: [],
  aside: [],
  timers: [],
  ended: [],
  reservations: [],
  processes: [],
};

type UnitInit = Omit<Partial<Unit>, 'lists'> & { readonly lists?: Partial<UnitLists> };

export const unit = ({ lists, ...init }: UnitInit): Unit => ({
  events: [],
  records: [],
  expected: new Map<Uuid, Long>(),
  ...init,
  ...(lists === undefined ? {} : { lists: { ...emptyLists, ...lists } }),
});

export const event = (): StagedEvent => ({
  streamId: newUuid(),
  envelope: {
    messageId: newUuid(),
    messageType: 'Happened',
    payload: {},
    timestamp: '2026-01-01T00:00:00Z',
    v: 1,
  },
});

export const handles = (cursor: HeldCursor, position: Long, key = `key-${position}`): Unit =>
  unit({ lists: { handled: [{ cursor, position, key }] } });

export const waits = { state: 'retrying', attempts: 1, retryInMs: 0, error: null } as const;

export const aside = (step: Partial<AsideStep> & Pick<AsideStep, 'cursor' | 'key' | 'from' | 'next'>): Unit =>
  unit({ lists: { aside: [{ ...waits, ...step }] } });

export const setsAside = (
  cursor: HeldCursor,
  position: Long,
  key: string,
  wait: Partial<AsideStep> = {},
): Unit =>
  unit({
    lists: {
      handled: [{ cursor, position, key }],
      aside: [{ ...waits, ...wait, cursor, key, from: 0, next: position }],
    },
  });

export const goesOn = (cursor: HeldCursor, key: string, from: Long, next: Long): Unit =>
  aside({ cursor, key, from, next });

export const timer = (init: Partial<SetTimer> = {}): SetTimer => ({
  id: newUuid(),
  kind: 'command',
  name: 'reminder',
  key: newUuid(),
  again: 'replace',
  due: { inMs: 0 },
  data: {},
  context: {},
  ...init,
});

export const sets = (...timers: SetTimer[]): Unit => unit({ lists: { timers } });
export const ends = (id: Uuid): Unit => unit({ lists: { ended: [{ id }] } });
export const fires = ({ id, dueAt }: Pick<StoredTimer, 'id' | 'dueAt'>): Unit =>
  unit({ lists: { ended: [{ id, firedAt: dueAt }] } });

/** Of all partitions: the timers of this key. */
export async function dueOf({ reactions }: StoreWithLists, key: string, limit = 100) {
  const parts = Array.from({ length: partitions }, (_, part) => reactions.dueTimers([part], limit));
  const found = await Promise.all(parts);
  const due = found.flatMap((part) => part.due).filter((one) => one.key === key);
  return { due, nextInMs: found.find(({ nextInMs }) => nextInMs !== null)?.nextInMs ?? null };
}

export async function only({ reactions }: StoreWithLists, { name, key }: SetTimer): Promise<StoredTimer> {
  const timers = await reactions.timersOf('command', name, key);
  assert.equal(timers.length, 1);
  return timers[0] ?? fail();
}

export const reservation = (key: Uuid, owner: string, take: boolean, forMs?: number): ReservationStep => ({
  key,
  name: 'email',
  owner,
  take,
  ...(forMs === undefined ? {} : { forMs }),
});

export const takes = (key: Uuid, owner: string, forMs?: number): Unit =>
  unit({ lists: { reservations: [reservation(key, owner, true, forMs)] } });
export const gives = (key: Uuid, owner: string): Unit =>
  unit({ lists: { reservations: [reservation(key, owner, false)] } });

export const process = (init: Partial<ProcessStep>): ProcessStep => ({
  name: 'fulfilment',
  key: 'o-1',
  revision: 0,
  version: 1,
  state: 'reserving',
  status: 'running',
  snapshot: {},
  trail: [],
  ...init,
});

export const steps = (init: Partial<ProcessStep>): Unit => unit({ lists: { processes: [process(init)] } });

export const fail = (): never => assert.fail('it is not there');
