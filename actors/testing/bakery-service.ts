import { AuditEvent } from '../../contracts/audit.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, type Envelope, Event, SystemEvent } from '../../contracts/message.js';
import { Permission } from '../../contracts/permission.js';
import type { Receptor } from '../../contracts/receptor.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { addService, type Service } from '../../runtime/service/service.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { collect } from '../../runtime/kit/collect.js';
import { RecordingEventStore } from '../../runtime/testing/recording-event-store.js';
import { type DispatcherPorts, LocalDispatcher } from '../commands/dispatcher.js';
import { dispatcherFor } from '../commands/create-dispatcher.js';
import { addSystemEventAuditing, type Configure } from '../add-system-events-and-auditing.js';

@CommandEndpoint<BakeBread, unknown>({ restRoute: '/bread', permission: Permission.of('bread', 'bake') })
export class BakeBread extends Command {
  customer!: string;
  loaves!: number;
  toppings!: string[];
  note?: string;
}

export class OpenShop extends Command {
  street!: string;
}

@AuditEvent({ exclude: true, reason: 'Asked for every second.' })
export class PeekInside extends Command {}

@AuditEvent({ reason: 'Money moves.', level: 'Critical' })
export class PayRentCommand extends Command {
  amount!: string;
}

export class BreadBaked extends Event {
  customer!: string;
  loaves!: number;
}

export class ShopOpened extends Event {
  street!: string;
}

@AuditEvent({ reason: 'Money moves.', level: 'Warning' })
export class RentPaid extends Event {
  amount!: string;
}

@AuditEvent({ exclude: true, reason: 'Too many of them.' })
export class DoorMoved extends Event {}

/** A system event of the application. */
export class ShopInspected extends SystemEvent {
  by!: string;
}

export class OpenShopResult {
  constructor(readonly shopId: string) {}
}

export const street = '018f0000-0000-7000-8000-00000000c0de';

export const openShop: Receptor<OpenShop, unknown> = {
  handle: ({ street: at }, work) => {
    work.append(street, ShopOpened.of({ street: at }));
    return new OpenShopResult(street);
  },
};

export const oven = '018f0000-0000-7000-8000-0000000000bb';

export const order = { customer: 'Ada', loaves: 2, toppings: ['sesame'] };

export const bakeBread = BakeBread.of(order);

export type Bake = Receptor<BakeBread, unknown>['handle'];

export const baking: Bake = ({ customer, loaves }, work) => {
  work.append(oven, BreadBaked.of({ customer, loaves }));
  return 'baked';
};

/** A dispatcher without a service. */
export function kitchen(
  handle: Bake = baking,
  ports: Partial<DispatcherPorts> = {},
  options: Partial<Receptor<BakeBread, unknown>> = {},
) {
  const watched = new RecordingEventStore();
  const dispatcher = new LocalDispatcher({ store: watched, ...ports });
  dispatcher.register([{ command: BakeBread, receptor: { ...options, handle } }]);
  return { dispatcher, store: watched, stored: () => collect(watched.readAll({ after: 0 })) };
}

export interface Shop {
  readonly service: Service;
  readonly store: RecordingEventStore;
  readonly dispatcher: LocalDispatcher;
  readonly reported: readonly SystemMessage[];
  /** The system stream, oldest first, optionally of one type. */
  system(type?: string): Promise<StoredEvent[]>;
  /** The payloads of the system stream, of one type. */
  recorded(type: string): Promise<Record<string, unknown>[]>;
}

/** A service over an in-memory store, with what the configuration enables. */
export function shopWith(
  configure: Configure = (options) => options.enableAudit(),
  receptors: Readonly<Record<string, Receptor<Command, unknown>>> = {},
): Shop {
  const store = new RecordingEventStore();
  return shopOver(
    addService().with(eventStore(store)).with(addSystemEventAuditing(configure)),
    store,
    receptors,
  );
}

/** A dispatcher over a configured service. */
export function shopOver(
  service: Service,
  store: RecordingEventStore,
  receptors: Readonly<Record<string, Receptor<Command, unknown>>> = {},
): Shop {
  const reported: SystemMessage[] = [];
  const dispatcher = dispatcherFor(service, { store, report: (message) => reported.push(message) });
  const silent: Receptor<Command, unknown> = { handle: () => undefined };
  dispatcher.register([
    { command: OpenShop, receptor: receptors['OpenShop'] ?? openShop },
    { command: PeekInside, receptor: receptors['PeekInside'] ?? silent },
    { command: PayRentCommand, receptor: receptors['PayRentCommand'] ?? silent },
  ]);
  return { service, store, dispatcher, reported, ...readers(store) };
}

export function readers(store: UnitStore): Pick<Shop, 'system' | 'recorded'> {
  const system = async (type?: string) => {
    const all = await collect(store.read(SystemEventStreams.streamId));
    return type === undefined ? all : all.filter(({ messageType }) => messageType === type);
  };
  return {
    system,
    recorded: async (type) => (await system(type)).map(({ payload }) => payload as Record<string, unknown>),
  };
}

export const envelope = (payload: object, more: Partial<Envelope> = {}): Envelope => ({
  messageId: newUuid(),
  messageType: payload.constructor.name,
  payload,
  timestamp: '2026-03-01T09:30:00.000Z',
  v: 1,
  ...more,
});
