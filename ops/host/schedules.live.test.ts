import * as assert from 'uvu/assert';
import { fulfilmentReceptors, Happen } from '../../actors/testing/fulfilment-receptors.js';
import { OrderCreated, OrderFulfilment, PaymentReceived } from '../../actors/testing/order-fulfilment.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Schedule } from '../../contracts/schedule.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { sharedHosts } from '../testing/live-hosts.js';

class Tick extends Command {
  declare due: string;
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
          command: Tick,
          receptor: {
            handle: (_, work) => {
              if (isJammed) throw new Problem('jammed', { status: 409 });
              work.append(ticks, new Ticked(), { expectedPosition: 'any' });
            },
          },
        },
      ],
      processes: [new OrderFulfilment()],
      schedules: [everyMinute],
      events: [Ticked],
    };
  },
};

const shared = sharedHosts({ definition: shop, count: 2 });
test.before(() => shared.start());
test.after(() => shared.stop());

const send = (command: Command): Promise<unknown> => Promise.resolve(dispatchers[0]?.localInvoke(command));

const eventsOf = async (stream: string): Promise<readonly string[]> =>
  (
    await rowsOf(
      shared.databaseUrl,
      `SELECT event_type FROM svc_event_stream WHERE stream_id = '${stream}' ORDER BY stream_position`,
    )
  ).map(([type]) => type ?? '');

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
  // The next occurrence, at the full minute, must not be counted with it.
  await until(() => new Date().getUTCSeconds() < 45);
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
