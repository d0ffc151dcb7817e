import * as assert from 'uvu/assert';
import {
  CancelOrder,
  OrderCancelled,
  OrderCreated,
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
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedHosts } from '../testing/live-hosts.js';

class Happen extends Command {
  declare orderId: string;
  declare event: Event;
}
class Register extends Command {
  declare customerId: string;
  declare email: string;
}
class Remind extends Command {
  declare customerId: string;
  declare in: string;
}
class Greet extends Command {
  declare customerId: string;
}
class Deliver extends Command {
  declare orderId: string;
}
class Packed extends Event {
  declare orderId: string;
}
class Delivered extends Event {
  declare orderId: string;
}
class Greeted extends Event {
  declare customerId: string;
}
class Unrelated extends Event {}

const test = suite('svc reactions, processes, timers and reservations');

const deliver: Reaction<Packed> = {
  name: 'deliver',
  events: [Packed],
  react: ({ payload: { orderId } }) => Deliver.of({ orderId }),
};

/** What receptors refuse at the moment, and what they fail on. */
const [broken, crashing] = [new Set<string>(), new Set<string>()];

const appends =
  (eventOf: (orderId: string) => Event) =>
  (command: Command, _: AbortSignal, work: UnitOfWork): void => {
    const { orderId } = command as ReserveStock;
    if (crashing.has(orderId)) throw new Error('a bug');
    if (broken.has(orderId)) throw new Problem('out-of-service', { status: 422 });
    work.append(orderId, eventOf(orderId), { expectedPosition: 'any' });
  };

const dispatchers: Dispatcher[] = [];
const shop: ServiceDefinition = {
  name: 'shop',
  create: (local) => {
    dispatchers.push(local);
    return {
      endpoints: [],
      receptors: [
        {
          command: Happen,
          receptor: {
            handle: ({ orderId, event }: Happen, _, work) =>
              void work.append(orderId, event, { expectedPosition: 'any' }),
          },
        },
        {
          command: ReserveStock,
          receptor: { handle: appends((orderId) => StockReserved.of({ orderId, reservationId: newUuid() })) },
        },
        { command: ReleaseStock, receptor: { handle: appends((orderId) => StockReleased.of({ orderId })) } },
        { command: CancelOrder, receptor: { handle: appends((orderId) => OrderCancelled.of({ orderId })) } },
        { command: Deliver, receptor: { handle: appends((orderId) => Delivered.of({ orderId })) } },
        {
          command: Register,
          receptor: {
            handle: ({ customerId, email }: Register, _, work) =>
              work.reserve('email', email, { owner: customerId }),
          },
        },
        {
          command: Remind,
          receptor: {
            handle: ({ customerId, in: delay }: Remind, _, work) =>
              work.schedule(Greet.of({ customerId }), { in: delay, name: 'greeting', key: customerId }),
          },
        },
        {
          command: Greet,
          receptor: {
            handle: ({ customerId }: Greet, _, work) => {
              if (broken.has(customerId)) throw new Problem('out-of-service', { status: 422 });
              work.append(customerId, Greeted.of({ customerId }), { expectedPosition: 'any' });
            },
          },
        },
      ],
      reactions: [deliver],
      processes: [new OrderFulfilment()],
      events: [Packed, Delivered, Greeted, Unrelated],
    };
  },
};

const shared = sharedHosts({ definition: shop, count: 2 });
test.before(() => shared.start());
test.after(() => shared.stop());

const send = (command: Command, host = 0): Promise<unknown> =>
  Promise.resolve(dispatchers[host]?.localInvoke(command));

const svc = (...args: string[]) => svcInProcess(args, { DATABASE_URL: shared.databaseUrl, SVC_ACTOR: 'ann' });

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

const why = ['--reason', 'mended'] as const;

const eventsOf = async (stream: string): Promise<readonly string[]> =>
  (
    await rowsOf(
      shared.databaseUrl,
      `SELECT event_type FROM svc_event_stream WHERE stream_id = '${stream}' ORDER BY stream_position`,
    )
  ).map(([type]) => type ?? '');

const acted = async (): Promise<readonly string[]> =>
  (
    await rowsOf(
      shared.databaseUrl,
      `SELECT concat_ws(' ', data->>'action', data->>'target', data->>'actor', data->>'reason') FROM svc_system_stream
        WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
    )
  ).map(([text]) => text ?? '');

interface Reactions {
  readonly name: string;
  readonly lag: number;
  readonly retrying: number;
  readonly parked: number;
  readonly state: string;
}

test('the lag of a reaction that nothing concerns is true: it follows the log', async () => {
  const listed = () => json<readonly Reactions[]>('reactions', 'list');
  await until(async () => (await listed()).length === 2);
  await until(async () => (await listed()).every(({ lag, state }) => lag === 0 && state === 'live'));
  for (let n = 0; n < 10; n++) await send(Happen.of({ orderId: newUuid(), event: new Unrelated() }), n % 2);
  await until(async () => (await listed()).every(({ lag }) => lag === 0));
  assert.equal(Object.keys((await listed())[0] ?? {}), [
    'name',
    'position',
    'lag',
    'retrying',
    'parked',
    'state',
    'kind',
  ]);
  const { stdout } = await svc('reactions', 'list');
  assert.match(stdout, /^order-fulfilment +process +live +at \d+, 0 behind\ndeliver +reaction +live/);
});

test('a parked key is shown, released and handled once, and then what waited behind it', async () => {
  const orderId = newUuid();
  broken.add(orderId);
  for (let n = 0; n < 3; n++) await send(Happen.of({ orderId, event: Packed.of({ orderId }) }), n % 2);
  const parked = () => json<readonly { key: string; state: string; error: string }[]>('reactions', 'parked');
  await until(async () => (await parked()).some(({ key, state }) => key === orderId && state === 'parked'));
  assert.match((await parked())[0]?.error ?? '', 'out-of-service');
  await until(async () =>
    (await json<readonly Reactions[]>('reactions', 'list')).some((one) => one.parked === 1),
  );
  assert.is(
    await mistake('reactions', 'release', 'deliver', 'nobody', ...why),
    'The key nobody of deliver is not parked.',
  );
  assert.is(
    await mistake('reactions', 'release', 'delivery', ...why),
    "There is no reaction 'delivery'; there are: order-fulfilment, deliver.",
  );
  broken.delete(orderId);
  const answers = await Promise.all([svc('reactions', 'release', 'deliver', orderId, ...why)]);
  assert.match(answers[0]?.stdout ?? '', /^Released 1 key of deliver; hosts try again at once\.\n$/);
  await until(async () => (await eventsOf(orderId)).length === 6);
  assert.equal(await eventsOf(orderId), [
    'Packed',
    'Packed',
    'Packed',
    'Delivered',
    'Delivered',
    'Delivered',
  ]);
  assert.equal(await json('reactions', 'release', 'deliver', ...why), { released: 0 });
  assert.equal(await acted(), [`reactions release deliver ${orderId} ann mended`]);
});

test('a key that still fails is parked again, with nothing sent', async () => {
  const orderId = newUuid();
  broken.add(orderId);
  await send(Happen.of({ orderId, event: Packed.of({ orderId }) }));
  const failures = async () =>
    Number(
      (
        await rowsOf(
          shared.databaseUrl,
          `SELECT count(*) FROM svc_system_events WHERE event_type = 'ReactionFailed' AND data->>'key' = '${orderId}'`,
        )
      )[0]?.[0],
    );
  await until(async () => (await failures()) === 1);
  await svc('reactions', 'release', 'deliver', ...why);
  await until(async () => (await failures()) === 2);
  assert.equal(await eventsOf(orderId), ['Packed']);
  broken.delete(orderId);
  await svc('reactions', 'release', 'deliver', ...why);
  await until(async () => (await eventsOf(orderId)).length === 2);
});

test('skip gives up the event at which a parked key stands, never a later one, and health recovers', async () => {
  const orderId = newUuid();
  broken.add(orderId);
  for (let n = 0; n < 3; n++) await send(Happen.of({ orderId, event: Packed.of({ orderId }) }), n % 2);
  type Parked = readonly { key: string; state: string; position: number }[];
  const position = async () =>
    (await json<Parked>('reactions', 'parked')).find((one) => one.key === orderId && one.state === 'parked')
      ?.position;
  await until(async () => (await position()) !== undefined);
  const first = (await position()) ?? 0;
  assert.match(await mistake('reactions', 'skip', 'deliver', orderId), /^skip needs --reason TEXT/);
  assert.is(
    await mistake('reactions', 'skip', 'deliver', 'nobody', ...why),
    'The key nobody of deliver is not parked.',
  );
  assert.match(await mistake('reactions', 'skip', 'deliver', orderId, '--at', 'x', ...why), /^--at must be/);
  assert.equal(await json('reactions', 'skip', 'deliver', orderId, '--at', String(first), ...why), {
    skipped: first,
    name: 'deliver',
    key: orderId,
  });
  await until(async () => ((await position()) ?? 0) > first);
  assert.equal(await eventsOf(orderId), ['Packed', 'Packed', 'Packed']);
  // A second operator, who has seen the same event.
  assert.is(
    await mistake('reactions', 'skip', 'deliver', orderId, '--at', String(first), ...why),
    `The key ${orderId} of deliver is parked at ${await position()}, not at ${first}: look at that event first.`,
  );
  broken.delete(orderId);
  await svc('reactions', 'release', 'deliver', orderId, ...why);
  await until(async () => (await eventsOf(orderId)).length === 5);
  assert.equal((await eventsOf(orderId)).slice(3), ['Delivered', 'Delivered']);
  assert.ok((await acted()).includes(`reactions skip deliver ${orderId} at ${first} ann mended`));
  await until(async () =>
    (await json<readonly Reactions[]>('reactions', 'list')).every(({ parked }) => parked === 0),
  );
  await until(async () => (await healthOf('reactions')) === 'Healthy');
});

async function healthOf(check: string): Promise<string | undefined> {
  const answer = await fetch(`${shared.hosts[0]?.url ?? ''}/health`);
  const { checks } = (await answer.json()) as { checks: readonly { name: string; status: string }[] };
  return checks.find(({ name }) => name === check)?.status;
}

test('skip lets a parked process go on with its next event', async () => {
  const orderId = newUuid();
  const happen = (event: Event) => send(Happen.of({ orderId, event }));
  const shown = () =>
    json<{ state: string; status: string }>('processes', 'show', 'order-fulfilment', orderId);
  await happen(OrderCreated.of({ orderId }));
  await until(async () => (await eventsOf(orderId)).includes('StockReserved'));
  broken.add(orderId);
  await happen(OrderCancelled.of({ orderId }));
  await until(async () => (await shown()).status === 'parked');
  assert.is(
    (await json<{ key: string }>('processes', 'skip', 'order-fulfilment', orderId, ...why)).key,
    orderId,
  );
  assert.is((await shown()).status, 'running');
  broken.delete(orderId);
  await happen(OrderCancelled.of({ orderId }));
  await until(async () => (await eventsOf(orderId)).includes('StockReleased'));
});

interface Timers {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  readonly dueAt: string;
  readonly attempts: number;
  readonly parked: boolean;
}

const timerOf = async (key: string): Promise<Timers> => {
  const found = (await json<readonly Timers[]>('timers', 'list')).find((timer) => timer.key === key);
  assert.ok(found);
  return found;
};

test('a cancelled timer never fires, one that is run now fires once', async () => {
  const [cancelled, early] = [newUuid(), newUuid()];
  for (const customerId of [cancelled, early]) await send(Remind.of({ customerId, in: 'PT1H' }));
  const timer = await timerOf(cancelled);
  assert.equal(
    [timer.kind, timer.name, timer.key, timer.attempts, timer.parked],
    ['command', 'greeting', cancelled, 0, false],
  );
  const soon = new Date(Date.now() + 60_000).toISOString();
  assert.equal(await json('timers', 'list', '--due-before', soon), []);
  const { stdout, stderr } = await svc('timers', 'list', '--limit', '1');
  assert.match(stdout, /^[0-9a-f-]{36} {2}\S+ {2}command greeting [0-9a-f-]{36}\n$/);
  assert.is(stderr, 'svc: 1 more; --limit N lists up to N, at most 10000.\n');
  assert.equal(await json('timers', 'cancel', timer.id, ...why), { cancelled: timer.id });
  assert.match(
    await mistake('timers', 'cancel', timer.id, ...why),
    'it has fired, was cancelled, or never was',
  );
  assert.match(
    await mistake('timers', 'run-now', timer.id, ...why),
    'it has fired, was cancelled, or never was',
  );
  assert.match(await mistake('timers', 'run-now', 'soon', ...why), "'soon' is not the id of a timer");
  const { id } = await timerOf(early);
  const both = await Promise.all([svc('timers', 'run-now', id, ...why)]);
  assert.is(both[0]?.code, 0);
  await until(async () => (await eventsOf(early)).length > 0);
  assert.equal(await eventsOf(early), ['Greeted']);
  assert.equal(await eventsOf(cancelled), []);
  assert.equal(await json('timers', 'list'), []);
});

test('a key with line breaks stays on its line: it cannot look like another row', async () => {
  const customerId = 'a\nall is well\u001b[2J';
  await send(Remind.of({ customerId, in: 'P1D' }));
  const { id } = await timerOf(customerId);
  const { stdout } = await svc('timers', 'list');
  assert.match(stdout, 'command greeting a\\u000aall is well\\u001b[2J\n');
  await svc('timers', 'cancel', id, ...why);
});

test('a timer that was parked fires when it is run now', async () => {
  const customerId = newUuid();
  broken.add(customerId);
  await send(Remind.of({ customerId, in: 'PT0.1S' }));
  await until(async () => (await timerOf(customerId)).parked);
  broken.delete(customerId);
  await svc('timers', 'run-now', (await timerOf(customerId)).id, ...why);
  await until(async () => (await eventsOf(customerId)).length === 1);
});

test('an operator may act without a reason; what was done is recorded all the same', async () => {
  const customerId = newUuid();
  await send(Remind.of({ customerId, in: 'P3D' }));
  const { id } = await timerOf(customerId);
  assert.equal(await json('timers', 'cancel', id), { cancelled: id });
  assert.is((await acted()).at(-1), `timers cancel ${id} ann`);
});

interface Processes {
  readonly name: string;
  readonly key: string;
  readonly status: string;
  readonly state: string;
  readonly timers: readonly { readonly event: string }[];
  readonly trail: readonly { readonly event: string; readonly from: string | null; readonly to: string }[];
}

test('a process is shown with its timers and its way, and never with its context', async () => {
  const orderId = newUuid();
  await send(Happen.of({ orderId, event: OrderCreated.of({ orderId }) }));
  const show = () => json<Processes>('processes', 'show', 'order-fulfilment', orderId);
  await until(async () => (await svc('processes', 'show', 'order-fulfilment', orderId)).code === 0);
  await until(async () => (await show()).state === 'awaitingPayment');
  const shown = await show();
  assert.equal(Object.keys(shown), ['name', 'key', 'version', 'state', 'status', 'timers', 'trail']);
  assert.equal(Object.keys(shown.timers[0] ?? {}), ['id', 'dueAt', 'event']);
  assert.equal(
    shown.trail.map(({ event, from, to }) => [event, from, to]),
    [
      ['OrderCreated', null, 'reserving'],
      ['StockReserved', 'reserving', 'awaitingPayment'],
    ],
  );
  const list = await json<readonly Processes[]>('processes', 'list', '--state', 'awaitingPayment');
  const { trail: _, ...rest } = shown;
  assert.equal(list, [rest]);
  assert.equal(await json('processes', 'list', '--name', 'order-fulfilment', '--state', 'paid'), []);
  const { stdout } = await svc('processes', 'show', 'order-fulfilment', orderId);
  assert.match(
    stdout,
    /\n {2}\S+ {2}StockReserved {2}reserving → awaitingPayment\n {2}waits until \S+ for after paymentTimeout /,
  );
  assert.not.match(stdout, 'reservationId');
});

test('a process whose first event fails is not unknown', async () => {
  const orderId = newUuid();
  crashing.add(orderId);
  await send(Happen.of({ orderId, event: OrderCreated.of({ orderId }) }));
  const listed = () => json<readonly Reactions[]>('reactions', 'list');
  await until(async () => (await listed()).some(({ retrying }) => retrying === 1));
  assert.match((await svc('reactions', 'list')).stdout, /^order-fulfilment .* behind, 1 tried again/);
  assert.is(
    await mistake('processes', 'show', 'order-fulfilment', orderId),
    `The event that starts order-fulfilment ${orderId} fails; see svc reactions parked order-fulfilment.`,
  );
  crashing.delete(orderId);
});

test('a parked process that is tried again goes on, and the step is taken once', async () => {
  const orderId = newUuid();
  const show = () => json<Processes>('processes', 'show', 'order-fulfilment', orderId);
  await send(Happen.of({ orderId, event: OrderCreated.of({ orderId }) }));
  await until(async () => (await svc('processes', 'show', 'order-fulfilment', orderId)).code === 0);
  await until(async () => (await show()).state === 'awaitingPayment');
  assert.match(
    await mistake('processes', 'retry', 'order-fulfilment', orderId, ...why),
    'is running: there is nothing to retry',
  );
  broken.add(orderId);
  await send(Happen.of({ orderId, event: OrderCancelled.of({ orderId }) }));
  await until(async () => (await show()).status === 'parked');
  await until(
    async () =>
      (await json<readonly { key: string }[]>('reactions', 'parked', 'order-fulfilment')).length === 1,
  );
  const parked = await json<readonly { key: string }[]>('processes', 'list', '--status', 'parked');
  assert.equal(
    parked.map(({ key }) => key),
    [orderId],
  );
  assert.match(
    await mistake('processes', 'list', '--status', 'stuck'),
    "--status must be running, ended or parked, not 'stuck'",
  );
  broken.delete(orderId);
  assert.is((await svc('processes', 'retry', 'order-fulfilment', orderId, ...why)).code, 0);
  await until(async () => (await show()).status === 'ended');
  assert.is((await eventsOf(orderId)).filter((type) => type === 'StockReleased').length, 1);
  assert.match(
    await mistake('processes', 'retry', 'order-fulfilment', orderId, ...why),
    'has ended: there is nothing to retry',
  );
  assert.is(
    await mistake('processes', 'show', 'order-fulfilment', 'nobody'),
    'There is no process order-fulfilment with the key nobody.',
  );
});

test('a reserved name is listed without its value, and free after its release', async () => {
  const [ada, bob] = [newUuid(), newUuid()];
  const register = (customerId: string) =>
    send(Register.of({ customerId, email: 'ada@example.org' })).then(
      () => 'registered',
      (error: unknown) => (error as Problem).code,
    );
  assert.equal([await register(ada), await register(bob)], ['registered', 'already-reserved']);
  const [listed] = await json<readonly { name: string; owner: string }[]>(
    'reservations',
    'list',
    '--name',
    'email',
  );
  assert.equal([listed?.name, listed?.owner], ['email', ada]);
  const line = await mistake('reservations', 'release', 'email', 'eve@example.org', ...why);
  assert.is(line, 'No one holds this value of email without a tenant; it is compared exactly.');
  const { stdout } = await svc('reservations', 'release', 'email', 'ada@example.org', ...why);
  assert.is(stdout, 'The value of email is free.\n');
  assert.is(await register(bob), 'registered');
  assert.not((await acted()).some((text) => text.includes('example.org')));
});
