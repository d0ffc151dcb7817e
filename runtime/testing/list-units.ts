import { Problem } from '../../contracts/problems.js';
import type { Long } from '../../contracts/scalars.js';
import type { HeldCursor, SetTimer, UnitLists } from '../../contracts/unit-lists.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresReactionStore } from '../reactions/postgres-reaction-store.js';
import type { MigratedDatabase } from './migrated-database.js';

export async function hold(database: MigratedDatabase): Promise<HeldCursor> {
  const reactions = postgresReactionStore(database.connect());
  const { epoch } = await reactions.takeCursor('line', 'beginning');
  return { name: 'line', epoch, settledTo: () => 0 };
}

export const mark = (cursor: HeldCursor, position: Long) => ({ cursor, position, key: `key-${position}` });

export const timer = (): SetTimer => ({
  id: newUuid(),
  kind: 'command',
  name: 'reminder',
  key: 'order',
  again: 'keep',
  due: { inMs: 1000 },
  data: {},
  context: {},
});

/** An event and its audit, with lists. */
export function audited(lists: Partial<UnitLists>, streamId = newUuid()): Unit {
  const message = (messageType: string) =>
    ({ messageId: newUuid(), messageType, payload: {}, timestamp: '2026-01-01T00:00:00Z', v: 1 }) as const;
  const event = { streamId, envelope: message('Happened') };
  return {
    events: [event],
    records: [{ envelope: message('Recorded'), of: event, publish: false }],
    expected: new Map(),
    lists: { ...empty, ...lists },
  };
}

const empty: UnitLists = {
  handled: [],
  aside: [],
  timers: [],
  ended: [],
  reservations: [],
  processes: [],
};

export const everything = (cursor: HeldCursor, n: number): UnitLists => ({
  handled: [mark(cursor, n)],
  aside: [
    {
      cursor,
      key: `aside-${n}`,
      from: 0,
      next: n,
      state: 'retrying',
      attempts: 0,
      retryInMs: 0,
      error: null,
    },
  ],
  timers: [timer()],
  ended: [{ id: newUuid() }],
  reservations: [{ key: newUuid(), name: 'email', owner: 'ada', take: n % 2 === 0 }],
  processes: [
    {
      name: 'fulfilment',
      key: `o-${n}`,
      revision: 0,
      version: 1,
      state: 'new',
      status: 'running',
      snapshot: {},
      trail: [],
    },
  ],
});

export const codesOf = (store: UnitStore, units: readonly Unit[]): Promise<string[]> =>
  Promise.all(
    units.map((unit) =>
      store.commit(unit).then(
        () => 'stored',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      ),
    ),
  );
