import { setTimeout as delay } from 'node:timers/promises';
import { type Decode, invalid, object } from '../../../contracts/codec.js';
import { CommandEndpoint } from '../../../contracts/command-endpoint.js';
import { Command, Event, type MessageClass } from '../../../contracts/message.js';
import type { Reaction } from '../../../contracts/reaction.js';
import type { Dispatcher, UnitOfWork } from '../../../contracts/receptor.js';
import type { Duration, Uuid } from '../../../contracts/scalars.js';
import { endpoint, type EndpointRegistration, receptor } from '../../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../../endpoints/testing/hooked-endpoint.js';
import { Deliver, Delivered, Expire, Expired, Ordered, Paid, PaymentProcess } from './payment-process.js';

@CommandEndpoint<Count, unknown>({ restRoute: '/count' })
class Count extends Command {
  account!: Uuid;
  first!: number;
  count!: number;
}
/** Sent for every Counted. */
class Note extends Command {
  account!: Uuid;
  n!: number;
}
@CommandEndpoint<Remind, unknown>({ restRoute: '/remind' })
class Remind extends Command {
  reminders!: readonly { readonly id: Uuid; readonly inMs: number }[];
}
@CommandEndpoint<Forget, unknown>({ restRoute: '/forget' })
class Forget extends Command {
  id!: Uuid;
}
/** Sent by the timers of Remind. */
class Ring extends Command {
  id!: Uuid;
}
@CommandEndpoint<Order, unknown>({ restRoute: '/order' })
class Order extends Command {
  orderId!: Uuid;
}
@CommandEndpoint<Pay, unknown>({ restRoute: '/pay' })
class Pay extends Command {
  orderId!: Uuid;
}
@CommandEndpoint<Take, unknown>({ restRoute: '/take' })
class Take extends Command {
  seat!: Uuid;
  owner!: string;
  for?: Duration;
}
@CommandEndpoint<Leave, unknown>({ restRoute: '/leave' })
class Leave extends Command {
  seat!: Uuid;
  owner!: string;
}

export class Counted extends Event {
  n!: number;
}
class Noted extends Event {
  n!: number;
}
class ReminderSet extends Event {}
class ReminderCancelled extends Event {}
class Rang extends Event {}
class Taken extends Event {
  owner!: string;
}
class Left extends Event {
  owner!: string;
}

const noteCounted: Reaction<Counted> = {
  name: 'note-counted',
  events: [Counted],
  from: 'start',
  react: ({ streamId, payload: { n } }) => Note.of({ account: streamId, n }),
};

const append = (work: UnitOfWork, stream: Uuid, event: Event): void =>
  void work.append(stream, event, { expectedPosition: 'any' });

const failsUntil = new Map<string, number>();
/** Longer than an event is tried before its key is set aside. */
const failsForMs = 2_500;
const slowMs = 1_500;

/** Six failures in a row would take longer than a run waits for its effects. */
const failingHosts = 1 / 4;

/** Some events fail for a while on every fourth host that meets them, and some are slow: their keys are set aside. */
async function stumble(account: Uuid, n: number): Promise<void> {
  if (n % 101 === 60) await delay(slowMs);
  if (n % 101 !== 3) return;
  const event = `${account} ${n}`;
  const now = performance.now();
  const until = failsUntil.get(event) ?? (Math.random() < failingHosts ? now + failsForMs : 0);
  failsUntil.set(event, until);
  if (now < until) throw new TypeError('It fails for a while.');
}

const receptors = [
  receptor(Count, {
    handle: ({ account, first, count }, work) => {
      for (let n = first; n < first + count; n++) append(work, account, Counted.of({ n }));
    },
  }),
  receptor(Note, {
    handle: async ({ account, n }, work) => {
      await stumble(account, n);
      append(work, account, Noted.of({ n }));
    },
  }),
  receptor(Remind, {
    handle: ({ reminders }, work) => {
      for (const { id, inMs } of reminders) {
        append(work, id, new ReminderSet());
        work.schedule(Ring.of({ id }), { in: `PT${inMs / 1000}S`, name: 'reminder', key: id });
      }
    },
  }),
  receptor(Forget, {
    handle: ({ id }, work) => {
      append(work, id, new ReminderCancelled());
      work.unschedule('reminder', id);
    },
  }),
  receptor(Ring, { handle: ({ id }, work) => append(work, id, new Rang()) }),
  receptor(Order, { handle: ({ orderId }, work) => append(work, orderId, Ordered.of({ orderId })) }),
  receptor(Pay, { handle: ({ orderId }, work) => append(work, orderId, Paid.of({ orderId })) }),
  receptor(Deliver, { handle: ({ orderId }, work) => append(work, orderId, Delivered.of({ orderId })) }),
  receptor(Expire, { handle: ({ orderId }, work) => append(work, orderId, Expired.of({ orderId })) }),
  receptor(Take, {
    handle: ({ seat, owner, for: hold }, work) => {
      work.reserve('seat', seat, hold === undefined ? { owner } : { owner, for: hold });
      append(work, seat, Taken.of({ owner }));
    },
  }),
  receptor(Leave, {
    handle: ({ seat, owner }, work) => {
      work.release('seat', seat, { owner });
      append(work, seat, Left.of({ owner }));
    },
  }),
];

const asked = <T extends Command>(dispatcher: Dispatcher, command: MessageClass<T>): EndpointRegistration =>
  endpoint({
    command,
    endpoint: new HookedEndpoint<T>(dispatcher, {}),
    decode: decodeAs(command),
    encode: () => null,
  });

const decodeAs =
  <T extends Command>(command: MessageClass<T>): Decode<T> =>
  (value, path, faults) => {
    const from = object(value, path, faults);
    return from === undefined
      ? invalid
      : Object.assign(Object.create(command.prototype as object) as T, from);
  };

/** An application whose every effect can be counted from what is stored. */
const ledgers: ServiceDefinition = {
  name: 'ledgers',
  create: (dispatcher) => ({
    endpoints: [
      asked(dispatcher, Count),
      asked(dispatcher, Remind),
      asked(dispatcher, Forget),
      asked(dispatcher, Order),
      asked(dispatcher, Pay),
      asked(dispatcher, Take),
      asked(dispatcher, Leave),
    ],
    receptors,
    reactions: [noteCounted],
    processes: [new PaymentProcess()],
    events: [Counted, Noted, ReminderSet, ReminderCancelled, Rang, Taken, Left],
  }),
};

export default ledgers;
