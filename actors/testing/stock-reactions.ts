import { Command, Event } from '../../contracts/message.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Receptor, ReceptorRegistration, UnitOfWork } from '../../contracts/receptor.js';
import { newUuid } from '../../contracts/uuid.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import { addService } from '../../runtime/service/service.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { collect } from '../../runtime/kit/collect.js';
import { until } from '../../runtime/kit/until.js';
import { inMemoryCursorLog } from '../../runtime/testing/in-memory-cursor-log.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { partOf } from '../../runtime/lang/part-of.js';
import { addSystemEventAuditing } from '../add-system-events-and-auditing.js';
import { dispatcherFor } from '../commands/create-dispatcher.js';
import type { CursorPorts } from '../reactions/cursor-ports.js';
import { BlockingCode } from '../steps/blocking-code.js';
import { CursorRun } from '../reactions/cursor-run.js';
import { EventFigures } from '../reactions/event-figures.js';
import { InFlight } from '../reactions/in-flight.js';
import { reactionWork } from '../reactions/reaction-work.js';
import { attemptDefaults } from '../reactions/step-attempt.js';

class PlaceOrder extends Command {
  declare orderId: string;
  declare item: string;
}
export class ReserveStock extends Command {
  declare orderId: string;
  declare item: string;
}
export class OrderPlaced extends Event {
  declare orderId: string;
  declare item: string;
}
class StockReserved extends Event {
  declare orderId: string;
  declare item: string;
}

export const reserveStock: Reaction<OrderPlaced> = {
  name: 'reserve-stock',
  events: [OrderPlaced],
  react: ({ payload: { orderId, item } }) => ReserveStock.of({ orderId, item }),
};

/** Called before stock is reserved: it may throw, or take its time. */
type Reserving = (command: ReserveStock, work: UnitOfWork) => void | Promise<void>;

export const stockReceptors = (reserving: Reserving): readonly ReceptorRegistration[] => [
  {
    command: PlaceOrder,
    receptor: {
      handle: ({ orderId, item }: PlaceOrder, work) =>
        void work.append(orderId, OrderPlaced.of({ orderId, item })),
    } satisfies Receptor<PlaceOrder, void>,
  },
  {
    command: ReserveStock,
    receptor: {
      handle: async (command: ReserveStock, work) => {
        await reserving(command, work);
        work.append(command.orderId, StockReserved.of({ orderId: command.orderId, item: command.item }), {
          expectedPosition: 'any',
        });
      },
    } satisfies Receptor<ReserveStock, void>,
  },
];

/** A warehouse over an in-memory store, with one cursor per partition of a reaction. */
export function warehouse(reaction: Reaction = reserveStock, reserving: Reserving = () => undefined) {
  const store = new InMemoryEventStore();
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEventAuditing((options) => options.enableAll()));
  const { parts } = service;
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register(stockReceptors(reserving));
  const code = new BlockingCode();
  const figures = new EventFigures();
  const ports = (more: Partial<CursorPorts> = {}): CursorPorts => ({
    dispatcher,
    store,
    reactions: store.reactions,
    deadlineMs: 5_000,
    inFlight: new InFlight(),
    code,
    figures,
    log: inMemoryCursorLog(store, reaction),
    settings: { ...attemptDefaults, retryMs: 1, busyMs: 1 },
    isBusy: () => false,
    isSensitive: () => false,
    secretsIn: () => undefined,
    caughtUp: () => Promise.resolve(),
    committed: () => undefined,
    recordOf: (message): StagedRecord => systemRecord(message, {}, parts.policy),
    ...more,
  });
  const run = (part: number, more?: Partial<CursorPorts>): CursorRun =>
    new CursorRun(ports(more), {
      name: `reaction/${reaction.name}/${part}`,
      part,
      work: reactionWork(reaction),
    });
  const place = async (orderId: string, item: string): Promise<void> => {
    await dispatcher.localInvoke(PlaceOrder.of({ orderId, item }));
  };
  const typed = async (type: string) =>
    (await collect(store.readAll({ after: 0 }))).filter(({ messageType }) => messageType === type);
  const reserved = async (): Promise<readonly string[]> =>
    (await typed('StockReserved')).map(({ payload }) => (payload as StockReserved).item);
  return { store, service, dispatcher, figures, ports, run, place, typed, reserved };
}

/** A run of the partition of a key, which ends with the test. */
export async function whileRunning(run: CursorRun, test: () => Promise<void>): Promise<void> {
  const running = run.run();
  try {
    await test();
  } finally {
    run.stop();
    await running;
  }
}

export const partOfOrder = (orderId: string): number => partOf(orderId);

/** The id of an order in this partition. */
export function otherOrderIn(part: number): string {
  for (;;) {
    const id = newUuid();
    if (partOfOrder(id) === part) return id;
  }
}

export const started = (run: { readonly line: unknown }) => until(() => run.line !== undefined);
