import { setTimeout as delay } from 'node:timers/promises';
import { addSystemEventAuditing } from '../../../actors/add-system-events-and-auditing.js';
import { dispatcherFor } from '../../../actors/commands/create-dispatcher.js';
import { Problem } from '../../../contracts/problems.js';
import type { Uuid } from '../../../contracts/scalars.js';
import type { SetTimer, UnitLists } from '../../../contracts/unit-lists.js';
import type { StagedEvent } from '../../../contracts/unit-store.js';
import { newUuid } from '../../../contracts/uuid.js';
import { connect } from '../../../runtime/database/connect.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { eventStore } from '../../../runtime/service/register-event-store.js';
import { addService } from '../../../runtime/service/service.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { quantile } from '../harness/statistics.js';
import { Placed, Reserve, shopReceptors } from './shop.js';

export type Item = Placed['item'];
export type ShopStore = Awaited<ReturnType<typeof openShopStore>>;

const noLists: UnitLists = { handled: [], aside: [], timers: [], ended: [], reservations: [], processes: [] };
/** Each fills its own part of a flush. */
export const eventsPerUnit = 50;
const longestMs = 180_000;

/** The store of the shop, as its customers use it. */
export async function openShopStore(url: string) {
  const { role } = await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
  const database = openDatabase({ url, ...(role === undefined ? {} : { role }) });
  const store = openPostgresStore(database, { host: 'bench' });
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEventAuditing((options) => options.enableAudit()));
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register(shopReceptors);
  const client = await connect(url);
  const numbers = (text: string): Promise<number[]> => numbersOf(client, text);
  const countOf = async (type: string, round: string): Promise<number> =>
    (await numbers(`SELECT count(*) AS n FROM svc_events WHERE ${isOf('', type, round)}`))[0] ?? 0;
  return {
    numbers,
    place: (round: string, items: readonly Item[], orderOf: (item: Item) => Uuid = () => newUuid()) =>
      store.commit({
        events: items.map((item) => placed(round, item, orderOf(item))),
        records: [],
        expected: new Map(),
      }),
    placeAll: async (round: string, count: number): Promise<void> => {
      const units = Array.from({ length: count / eventsPerUnit }, () =>
        Array.from({ length: eventsPerUnit }, () => placed(round, 'sound', newUuid())),
      );
      await Promise.all(units.map((events) => store.commit({ events, records: [], expected: new Map() })));
    },
    reserve: (round: string) =>
      dispatcher.localInvoke<void>(Reserve.of({ orderId: newUuid(), round, item: 'sound' })),
    setTimers: (timers: readonly SetTimer[]) =>
      store.commit({ events: [], records: [], expected: new Map(), lists: { ...noLists, timers } }),
    untilThere: async (type: string, round: string, count: number): Promise<void> => {
      const end = performance.now() + longestMs;
      while ((await countOf(type, round)) < count) {
        if (performance.now() > end)
          throw new Problem('unexpected', { detail: `There are not ${count} ${type}.` });
        await delay(200);
      }
    },
    ...figuresOf(numbers),
    close: async () => {
      await client.end();
      await store.close();
      await database.close();
    },
  };
}

/** On a connection that is kept: to open one takes the server longer than most questions. */
async function numbersOf(
  client: Pick<Awaited<ReturnType<typeof connect>>, 'query'>,
  text: string,
): Promise<number[]> {
  const { rows } = await client.query<{ n: number | string | null }>(text);
  return rows.map(({ n }) => Number(n));
}

const figuresOf = (numbers: (text: string) => Promise<number[]>) => ({
  /** Events of a type and round in a second, from the first to the last one. */
  rateOf: async (type: string, round: string): Promise<number> =>
    (
      await numbers(`SELECT (count(*) - 1) / nullif(extract(epoch FROM max(recorded_at) - min(recorded_at)), 0) AS n
        FROM svc_events WHERE ${isOf('', type, round)}`)
    )[0] ?? Number.NaN,
  /** From an event to the commit of its reaction, in milliseconds. */
  delays: (round: string): Promise<number[]> =>
    numbers(`SELECT 1000 * extract(epoch FROM r.recorded_at - p.recorded_at) AS n
      FROM svc_events p JOIN svc_events r ON r.stream_id = p.stream_id AND ${isOf('r.', 'Reserved', round)}
      WHERE ${isOf('p.', 'Placed', round)}`),
  lateness: (round: string): Promise<number[]> =>
    numbers(`SELECT 1000 * extract(epoch FROM recorded_at - (data->>'due')::timestamptz) AS n
      FROM svc_events WHERE ${isOf('', 'Reminded', round)}`),
});

const isOf = (prefix: string, type: string, round: string): string =>
  `${prefix}event_type = '${type}' AND ${prefix}data->>'round' = '${round}'`;

const placed = (round: string, item: Item, orderId: Uuid): StagedEvent => ({
  streamId: orderId,
  envelope: {
    messageId: newUuid(),
    messageType: 'Placed',
    payload: Placed.of({ orderId, round, item }),
    timestamp: new Date().toISOString(),
    v: 1,
  },
});

export const reminder = (round: string, due: string): SetTimer => {
  const id = newUuid();
  return {
    id,
    kind: 'command',
    name: 'reminder',
    key: id,
    again: 'replace',
    due: { at: due },
    data: { type: 'Remind', body: { orderId: id, round, due } },
    context: { correlationId: id, scope: {} },
  };
};

export const percentiles = (values: readonly number[]) => ({
  'p50 ms': quantile([...values], 0.5),
  'p99 ms': quantile([...values], 0.99),
});
