import * as assert from 'uvu/assert';
import {
  CancelOrder,
  OrderCancelled,
  OrderFulfilment,
  ReleaseStock,
  ReserveStock,
  StockReleased,
  StockReserved,
} from '../../actors/testing/order-fulfilment.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Dispatcher, UnitOfWork } from '../../contracts/receptor.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { svcInProcess } from './in-process-cli.js';
import { sharedHosts } from './live-hosts.js';

export class Happen extends Command {
  declare orderId: string;
  declare event: Event;
}
export class Register extends Command {
  declare customerId: string;
  declare email: string;
}
export class Remind extends Command {
  declare customerId: string;
  declare in: string;
}
class Greet extends Command {
  declare customerId: string;
}
class Deliver extends Command {
  declare orderId: string;
}
export class Packed extends Event {
  declare orderId: string;
}
class Delivered extends Event {
  declare orderId: string;
}
class Greeted extends Event {
  declare customerId: string;
}
export class Unrelated extends Event {}

const deliver: Reaction<Packed> = {
  name: 'deliver',
  events: [Packed],
  react: ({ payload: { orderId } }) => Deliver.of({ orderId }),
};

/** A shop that an operator looks after with `svc`. */
export function operatedShop(count = 1) {
  /** What receptors refuse at the moment, and what they fail on. */
  const [broken, crashing] = [new Set<string>(), new Set<string>()];
  const dispatchers: Dispatcher[] = [];
  const definition: ServiceDefinition = {
    name: 'shop',
    create: (local) => {
      dispatchers.push(local);
      return registryOf(broken, crashing);
    },
  };
  const shared = sharedHosts({ definition, count });
  const send = (command: Command, host = 0): Promise<unknown> =>
    Promise.resolve(dispatchers[host]?.localInvoke(command));
  const svc = (...args: string[]) =>
    svcInProcess(args, { DATABASE_URL: shared.databaseUrl, SVC_ACTOR: 'ann' });

  /** What a verb prints with --json. */
  async function json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await svc(...args, '--json');
    assert.is(code, 0, stderr);
    return JSON.parse(stdout) as T;
  }

  /** The line of a verb that fails. */
  async function mistake(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await svc(...args);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: [^\n]+\n$/);
    return stderr.slice('svc: '.length, -1);
  }

  const texts = async (query: string): Promise<readonly string[]> =>
    (await rowsOf(shared.databaseUrl, query)).map(([text]) => text ?? '');
  const eventsOf = (stream: string) =>
    texts(`SELECT event_type FROM svc_event_stream WHERE stream_id = '${stream}' ORDER BY stream_position`);
  const acted = () =>
    texts(
      `SELECT concat_ws(' ', data->>'action', data->>'target', data->>'actor', data->>'reason') FROM svc_system_stream
        WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
    );
  return { shared, broken, crashing, send, svc, json, mistake, eventsOf, acted };
}

export const why = ['--reason', 'mended'] as const;

/** What `svc reactions list --json` prints of each. */
export interface ListedReaction {
  readonly name: string;
  readonly lag: number;
  readonly retrying: number;
  readonly parked: number;
  readonly state: string;
}

type Some = ReadonlySet<string>;

const registryOf = (broken: Some, crashing: Some): Registry => ({
  endpoints: [],
  receptors: receptorsOf((id) => {
    if (crashing.has(id)) throw new TypeError('a bug');
    if (broken.has(id)) throw new Problem('out-of-service', { status: 422 });
  }),
  reactions: [deliver],
  processes: [new OrderFulfilment()],
  events: [Packed, Delivered, Greeted, Unrelated],
});

function receptorsOf(refuse: (id: string) => void): Registry['receptors'] {
  const add = (work: UnitOfWork, stream: string, event: Event): void =>
    void work.append(stream, event, { expectedPosition: 'any' });
  const appends = (eventOf: (orderId: string) => Event) => ({
    handle: (command: Command, work: UnitOfWork): void => {
      const { orderId } = command as ReserveStock;
      refuse(orderId);
      add(work, orderId, eventOf(orderId));
    },
  });
  return [
    receptor(Happen, { handle: ({ orderId, event }, work) => add(work, orderId, event) }),
    receptor(
      ReserveStock,
      appends((orderId) => StockReserved.of({ orderId, reservationId: newUuid() })),
    ),
    receptor(
      ReleaseStock,
      appends((orderId) => StockReleased.of({ orderId })),
    ),
    receptor(
      CancelOrder,
      appends((orderId) => OrderCancelled.of({ orderId })),
    ),
    receptor(
      Deliver,
      appends((orderId) => Delivered.of({ orderId })),
    ),
    receptor(Register, {
      handle: ({ customerId, email }, work) => work.reserve('email', email, { owner: customerId }),
    }),
    receptor(Remind, {
      handle: ({ customerId, in: delay }, work) =>
        work.schedule(Greet.of({ customerId }), { in: delay, name: 'greeting', key: customerId }),
    }),
    receptor(Greet, {
      handle: ({ customerId }, work) => {
        refuse(customerId);
        add(work, customerId, Greeted.of({ customerId }));
      },
    }),
  ];
}
