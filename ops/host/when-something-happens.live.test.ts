import * as assert from 'uvu/assert';
import { fulfilmentReceptors, Happen } from '../../actors/testing/fulfilment-receptors.js';
import { OrderCreated, OrderFulfilment, PaymentReceived } from '../../actors/testing/order-fulfilment.js';
import { Command, Event } from '../../contracts/message.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { sharedHosts } from '../testing/live-hosts.js';

class Register extends Command {
  declare customerId: string;
  declare email: string;
}
class Greet extends Command {
  declare customerId: string;
}
class Registered extends Event {
  declare customerId: string;
}
class Welcomed extends Event {
  declare customerId: string;
}
class Greeted extends Event {
  declare customerId: string;
}
class Welcome extends Command {
  declare customerId: string;
}

const test = suite('what a host does when something happens');

const welcome: Reaction<Registered> = {
  name: 'welcome',
  events: [Registered],
  react: ({ payload: { customerId } }) => Welcome.of({ customerId }),
};

const dispatchers: Dispatcher[] = [];
const shop: ServiceDefinition = {
  name: 'shop',
  create: (local) => {
    dispatchers.push(local);
    return {
      endpoints: [],
      receptors: [
        ...fulfilmentReceptors(),
        {
          command: Register,
          receptor: {
            handle: ({ customerId, email }: Register, work) => {
              work.reserve('email', email, { owner: customerId });
              work.append(customerId, Registered.of({ customerId }));
              work.schedule(Greet.of({ customerId }), { in: 'PT0.2S', name: 'greeting', key: customerId });
            },
          },
        },
        {
          command: Greet,
          receptor: {
            handle: ({ customerId }: Greet, work) =>
              void work.append(customerId, Greeted.of({ customerId }), { expectedPosition: 'any' }),
          },
        },
        {
          command: Welcome,
          receptor: {
            handle: ({ customerId }: Welcome, work) =>
              void work.append(customerId, Welcomed.of({ customerId }), { expectedPosition: 'any' }),
          },
        },
      ],
      reactions: [welcome],
      processes: [new OrderFulfilment()],
      events: [Registered, Welcomed, Greeted],
    };
  },
};

const shared = sharedHosts({ definition: shop, count: 2 });
test.before(() => shared.start());
test.after(() => shared.stop());

const send = (command: Command, host = 0): Promise<unknown> =>
  Promise.resolve(dispatchers[host]?.localInvoke(command));

const eventsOf = async (stream: string): Promise<readonly string[]> =>
  (
    await rowsOf(
      shared.databaseUrl,
      `SELECT event_type FROM svc_event_stream WHERE stream_id = '${stream}' ORDER BY stream_position`,
    )
  ).map(([type]) => type ?? '');

test('an event causes a command and a timer fires, once each, whichever host holds them', async () => {
  const customers = Array.from({ length: 20 }, () => newUuid());
  await Promise.all(
    customers.map((customerId, index) =>
      send(Register.of({ customerId, email: `${customerId}@example.org` }), index % 2),
    ),
  );
  for (const customer of customers) {
    await until(async () => (await eventsOf(customer)).length === 3);
    assert.equal([...(await eventsOf(customer))].sort(), ['Greeted', 'Registered', 'Welcomed']);
  }
  assert.equal(await rowsOf(shared.databaseUrl, `SELECT count(*) FROM svc_timers WHERE kind = 'command'`), [
    ['0'],
  ]);
});

test('what timers and reactions send is audited with its cause and with what sent it', async () => {
  const customerId = newUuid();
  await send(Register.of({ customerId, email: `${customerId}@example.org` }));
  await until(async () => (await eventsOf(customerId)).length === 3);
  const audits = await rowsOf(
    shared.databaseUrl,
    `SELECT data->>'commandType', data->'scope'->>'by', data->>'causationId' FROM svc_system_events
      WHERE event_type = 'CommandAudited' AND data->'commandBody'->>'customerId' = '${customerId}' ORDER BY 1`,
  );
  const [[registered, command] = []] = await rowsOf(
    shared.databaseUrl,
    `SELECT event_id, causation_id FROM svc_event_stream WHERE stream_id = '${customerId}' AND event_type = 'Registered'`,
  );
  assert.equal(audits, [
    ['Greet', 'greeting', command],
    ['Register', 'null', 'null'],
    ['Welcome', 'welcome', registered],
  ]);
});

test('one of many callers on two hosts gets a name, the others are refused', async () => {
  const email = 'ada@example.org';
  const customers = Array.from({ length: 32 }, () => newUuid());
  const outcomes = await Promise.all(
    customers.map((customerId, index) =>
      send(Register.of({ customerId, email }), index % 2).then(
        () => 'registered',
        (error: unknown) => (error as { code?: string }).code,
      ),
    ),
  );
  assert.equal(outcomes.filter((outcome) => outcome === 'registered').length, 1);
  assert.equal(outcomes.filter((outcome) => outcome === 'already-reserved').length, 31);
  const values = await rowsOf(shared.databaseUrl, `SELECT svc_reservations::text FROM svc_reservations`);
  assert.not(values.some(([row]) => row?.includes('example')));
});

test('a process goes on by events and ends', async () => {
  const orders = Array.from({ length: 10 }, () => newUuid());
  await Promise.all(orders.map((orderId) => send(Happen.of({ event: OrderCreated.of({ orderId }) }))));
  const stateOf = async (order: string) =>
    (await rowsOf(shared.databaseUrl, `SELECT state FROM svc_processes WHERE key = '${order}'`))[0]?.[0];
  for (const order of orders) await until(async () => (await stateOf(order)) === 'awaitingPayment');
  assert.equal(await rowsOf(shared.databaseUrl, `SELECT count(*) FROM svc_timers WHERE kind = 'process'`), [
    ['10'],
  ]);
  await Promise.all(orders.map((orderId) => send(Happen.of({ event: PaymentReceived.of({ orderId }) }), 1)));
  for (const order of orders) await until(async () => (await stateOf(order)) === 'paid');
  assert.equal(await rowsOf(shared.databaseUrl, `SELECT count(*) FROM svc_timers WHERE kind = 'process'`), [
    ['0'],
  ]);
  for (const order of orders)
    assert.equal(await eventsOf(order), ['OrderCreated', 'StockReserved', 'PaymentReceived']);
});
