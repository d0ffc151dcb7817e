import type { Process } from '../../../actors/processes/process.js';
import { processSetup, shape } from '../../../actors/processes/process-setup.js';
import { type Decode, invalid, object } from '../../../contracts/codec.js';
import { CommandEndpoint } from '../../../contracts/command-endpoint.js';
import type { StoredEvent } from '../../../contracts/event-store.js';
import { Command, Event, type MessageClass } from '../../../contracts/message.js';
import type { Dispatcher, UnitOfWork } from '../../../contracts/receptor.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { endpoint, type EndpointRegistration, receptor } from '../../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../../endpoints/testing/hooked-endpoint.js';

@CommandEndpoint<PlaceOrder, unknown>({ restRoute: '/orders' })
class PlaceOrder extends Command {
  declare orderId: Uuid;
  declare note: string;
}
class OrderPlaced extends Event {
  declare orderId: Uuid;
  declare note: string;
}

@CommandEndpoint<SetReminder, unknown>({ restRoute: '/reminders' })
class SetReminder extends Command {
  declare orderId: Uuid;
  /** Milliseconds since 1970. */
  declare due: number;
}
class Remind extends Command {
  declare due: number;
}

/** `began`: when its client sent it, in milliseconds since 1970. */
@CommandEndpoint<Fulfil, unknown>({ restRoute: '/fulfilments' })
class Fulfil extends Command {
  declare orderId: Uuid;
  declare began: number;
}
abstract class Step extends Command {
  declare orderId: Uuid;
}
class Reserve extends Step {}
class Charge extends Step {}
class Ship extends Step {
  declare began: number;
}
class FulfilmentBegan extends Event {
  declare orderId: Uuid;
  declare began: number;
}
class Reserved extends Event {}
class Charged extends Event {}
class Shipped extends Event {}

const machine = processSetup({
  events: { FulfilmentBegan, Reserved, Charged, Shipped },
  commands: { Reserve, Charge, Ship },
  context: shape<{ orderId: Uuid; began: number }>(),
}).createMachine({
  id: 'fulfilment',
  context: ({ input }) => {
    const { orderId, began } = input.data as FulfilmentBegan;
    return { orderId, began };
  },
  initial: 'reserving',
  states: {
    reserving: {
      entry: { type: 'send', params: ({ context: { orderId } }) => Reserve.of({ orderId }) },
      on: { Reserved: 'charging' },
    },
    charging: {
      entry: { type: 'send', params: ({ context: { orderId } }) => Charge.of({ orderId }) },
      on: { Charged: 'shipping' },
    },
    shipping: {
      entry: { type: 'send', params: ({ context: { orderId, began } }) => Ship.of({ orderId, began }) },
      on: { Shipped: 'done' },
    },
    done: { type: 'final' },
  },
});

class Fulfilment implements Process<typeof machine> {
  readonly name = 'fulfilment';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [FulfilmentBegan];
  key = ({ streamId }: StoredEvent): Uuid => streamId;
}

const append = (work: UnitOfWork, stream: Uuid, event: Event): void =>
  void work.append(stream, event, { expectedPosition: 'any' });

/** The work of this bench; `taken` gets the lateness of each reminder and the duration of each fulfilment. */
export const ordersFor = (taken: (ms: number) => void): ServiceDefinition => ({
  name: 'orders',
  create: (dispatcher) => ({
    endpoints: [
      reached(dispatcher, PlaceOrder),
      reached(dispatcher, SetReminder),
      reached(dispatcher, Fulfil),
    ],
    receptors: [
      receptor(PlaceOrder, {
        handle: ({ orderId, note }, work) => {
          append(work, orderId, OrderPlaced.of({ orderId, note }));
          return { orderId };
        },
      }),
      receptor(SetReminder, {
        handle: ({ orderId, due }, work) =>
          work.schedule(Remind.of({ due }), {
            at: new Date(due).toISOString(),
            name: 'reminder',
            key: orderId,
          }),
      }),
      receptor(Remind, { handle: ({ due }) => taken(Date.now() - due) }),
      receptor(Fulfil, {
        handle: ({ orderId, began }, work) => append(work, orderId, FulfilmentBegan.of({ orderId, began })),
      }),
      receptor(Reserve, { handle: ({ orderId }, work) => append(work, orderId, new Reserved()) }),
      receptor(Charge, { handle: ({ orderId }, work) => append(work, orderId, new Charged()) }),
      receptor(Ship, {
        handle: ({ orderId, began }, work) => {
          append(work, orderId, new Shipped());
          taken(Date.now() - began);
        },
      }),
    ],
    processes: [new Fulfilment()],
    events: [OrderPlaced, FulfilmentBegan, Reserved, Charged, Shipped],
  }),
});

const reached = <T extends Command>(dispatcher: Dispatcher, command: MessageClass<T>): EndpointRegistration =>
  endpoint({ command, endpoint: new HookedEndpoint<T>(dispatcher, {}), decode: decodeAs(command) });

const decodeAs =
  <T extends Command>(command: MessageClass<T>): Decode<T> =>
  (value, path, faults) => {
    const from = object(value, path, faults);
    return from === undefined
      ? invalid
      : Object.assign(Object.create(command.prototype as object) as T, from);
  };
