import * as assert from 'uvu/assert';
import { fulfilmentReceptors, Happen } from '../../actors/testing/fulfilment-receptors.js';
import { OrderCreated, OrderFulfilment, PaymentReceived } from '../../actors/testing/order-fulfilment.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Schedule } from '../../contracts/schedule.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedHosts } from '../testing/live-hosts.js';

class Register extends Command {
  declare customerId: string;
  declare email: string;
}
class Greet extends Command {
  declare customerId: string;
}
class Tick extends Command {
  declare due: string;
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
class Ticked extends Event {}

const test = suite('what a host does when something happens');

const ticks = newUuid();

const everyMinute: Schedule = {
  name: 'every-minute',
  cron: '* * * * *',
  timeZone: 'UTC',
  command: (due) => Tick.of({ due }),
};

const welcome: Reaction<Registered> = {
  name: 'welcome',
  events: [Registered],
  react: ({ payload: { customerId } }) => Welcome.of({ customerId }),
};

const dispatchers: Dispatcher[] = [];
let isJammed = false;
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
            handle: ({ customerId, email }: Register, _, work) => {
              work.reserve('email', email, { owner: customerId });
              work.append(customerId, Registered.of({ customerId }));
              work.schedule(Greet.of({ customerId }), { in: 'PT0.2S', name: 'greeting', key: customerId });
            },
          },
        },
        {
          command: Greet,
          receptor: {
            handle: ({ customerId }: Greet, _, work) =>
              void work.append(customerId, Greeted.of({ customerId }), { expectedPosition: 'any' }),
          },
        },
        {
          command: Welcome,
          receptor: {
            handle: ({ customerId }: Welcome, _, work) =>
              void work.append(customerId, Welcomed.of({ customerId }), { expectedPosition: 'any' }),
          },
        },
        {
          command: Tick,
          receptor: {
            handle: (_, __, work) => {
              if (isJammed) throw new Problem('jammed', { status: 409 });
              work.append(ticks, new Ticked(), { expectedPosition: 'any' });
            },
          },
        },
      ],
      reactions: [welcome],
      processes: [new OrderFulfilment()],
      schedules: [everyMinute],
      events: [Registered, Welcomed, Greeted, Ticked],
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

test('what processes and schedules send is audited with them', async () => {
  const orderId = newUuid();
  await send(Happen.of({ event: OrderCreated.of({ orderId }) }));
  await until(async () => (await eventsOf(orderId)).length === 2);
  const senders = `SELECT DISTINCT data->>'commandType', data->'scope'->>'by' FROM svc_system_events
    WHERE event_type = 'CommandAudited' AND data->>'commandType' IN ('ReserveStock', 'Tick') ORDER BY 1`;
  await rowsOf(
    shared.databaseUrl,
    `UPDATE svc_timers SET due_at = clock_timestamp() WHERE kind = 'schedule'`,
  );
  const expected = [
    ['ReserveStock', 'order-fulfilment'],
    ['Tick', 'every-minute'],
  ];
  await until(async () => (await rowsOf(shared.databaseUrl, senders)).length === 2);
  assert.equal(await rowsOf(shared.databaseUrl, senders), expected);
  await send(Happen.of({ event: PaymentReceived.of({ orderId }) }));
  await until(async () => (await eventsOf(orderId)).length === 3);
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

test('an occurrence that is refused waits for an operator, and the next one comes', async () => {
  const parked = () =>
    rowsOf(shared.databaseUrl, `SELECT id FROM svc_timers WHERE kind = 'schedule' AND parked`);
  const occurs = () =>
    rowsOf(
      shared.databaseUrl,
      `UPDATE svc_timers SET due_at = clock_timestamp() WHERE name = 'every-minute' AND NOT parked`,
    );
  const ticksNow = async (): Promise<number> => (await eventsOf(ticks)).length;
  isJammed = true;
  await occurs();
  await until(async () => (await parked()).length === 1);
  isJammed = false;
  const before = await ticksNow();
  await occurs();
  await until(async () => (await ticksNow()) > before);
  const [[id = ''] = []] = await parked();
  const env = { DATABASE_URL: shared.databaseUrl, SVC_ACTOR: 'ann' };
  const { code, stderr } = await svcInProcess(['timers', 'run-now', id, '--reason', 'mended'], env);
  assert.is(code, 0, stderr);
  await until(async () => (await ticksNow()) > before + 1);
  assert.equal(await parked(), []);
});

test('a schedule has one timer, and what was missed is sent once', async () => {
  const timers = () =>
    rowsOf(shared.databaseUrl, `SELECT name, data->>'cron' FROM svc_timers WHERE kind = 'schedule'`);
  assert.equal(await timers(), [['every-minute', '* * * * *']]);
  const before = (await eventsOf(ticks)).length;
  await rowsOf(
    shared.databaseUrl,
    `UPDATE svc_timers SET due_at = due_at - interval '1 hour',
      context = (context::jsonb || jsonb_build_object('due', to_char((due_at - interval '1 hour') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))::json
      WHERE kind = 'schedule'`,
  );
  await until(async () => (await eventsOf(ticks)).length > before);
  assert.is((await eventsOf(ticks)).length, before + 1);
  assert.equal(await timers(), [['every-minute', '* * * * *']]);
  const missed = await rowsOf(
    shared.databaseUrl,
    `SELECT data->>'scheduleName' FROM svc_system_events WHERE event_type = 'ScheduleMissed'`,
  );
  assert.equal(missed, [['every-minute']]);
});
