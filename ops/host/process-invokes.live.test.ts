import * as assert from 'uvu/assert';
import { assign } from 'xstate';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import { EffectRefused } from '../../contracts/effect.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher, UnitOfWork } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { until } from '../../runtime/kit/until.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedHosts } from '../testing/live-hosts.js';
import { gateway, SendSms, smsGateway, SmsSent, textingShop } from '../testing/texting-shop.js';

const test = suite('processes that invoke effects');

class Placed extends Event {
  declare orderId: Uuid;
}
class Withdrawn extends Event {
  declare orderId: Uuid;
}
class Report extends Command {
  declare orderId: Uuid;
  declare event: 'placed' | 'withdrawn';
}

const machine = processSetup({
  events: { Placed, Withdrawn, SmsSent },
  commands: { SendSms },
  context: shape<{ orderId: Uuid; smsId: string }>(),
}).createMachine({
  context: ({ input }) => ({ orderId: input.data.orderId, smsId: '' }),
  initial: 'notifying',
  states: {
    notifying: {
      invoke: {
        id: 'sms',
        src: 'SendSms',
        input: ({ context: { orderId } }) => SendSms.of({ orderId, to: orderId }),
        onDone: {
          target: 'notified',
          actions: assign({ smsId: ({ event }) => (event.output as SmsSent).smsId }),
        },
        onError: 'failed',
      },
      on: { Withdrawn: 'withdrawn' },
    },
    notified: {},
    failed: {},
    withdrawn: {},
  },
});

const notifying: Process = {
  name: 'notifying',
  version: 1,
  machine,
  starts: [Placed],
  key: ({ payload }: StoredEvent) => (payload as Placed).orderId,
};

const other = gateway();
const dispatchers: Dispatcher[] = [];
const shop = textingShop(smsGateway(other), (local) => dispatchers.push(local), { processes: [notifying] }, [
  {
    command: Report,
    receptor: {
      handle: ({ orderId, event }: Report, work: UnitOfWork) =>
        void work.append(orderId, event === 'placed' ? Placed.of({ orderId }) : Withdrawn.of({ orderId })),
    },
  },
]);
const shared = sharedHosts({ definition: shop });
test.before(() => shared.start());
test.after(() => shared.stop());

const report = (orderId: Uuid, event: Report['event']) =>
  dispatchers[0]?.localInvoke(Report.of({ orderId, event }));
const stateOf = async (orderId: Uuid): Promise<string | undefined> =>
  (await rowsOf(shared.databaseUrl, `SELECT state FROM svc_processes WHERE key = '${orderId}'`))[0]?.[0];

test('a process invokes an effect and continues with its outcome', async () => {
  const [notified, failed] = [newUuid(), newUuid()];
  other.answer = ({ id }, to) => {
    if (to === failed) throw new EffectRefused('number-not-valid');
    return `sms ${id}`;
  };
  for (const orderId of [notified, failed]) await report(orderId, 'placed');
  await until(async () => (await stateOf(notified)) === 'notified');
  await until(async () => (await stateOf(failed)) === 'failed');
  const [call] = other.calls.filter(({ to }) => to === notified);
  const kept = await rowsOf(
    shared.databaseUrl,
    `SELECT snapshot -> 'context' ->> 'smsId', snapshot -> 'effects' FROM svc_processes WHERE key = '${notified}'`,
  );
  assert.equal(kept, [[`sms ${call?.id}`, 'null']]);
});

test('leaving the state cancels what it has asked for, in the same commit', async () => {
  const orderId = newUuid();
  let ended: unknown;
  other.answer = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject((ended = signal.reason) as Error));
    });
  await report(orderId, 'placed');
  await until(() => other.calls.some(({ to }) => to === orderId));
  await report(orderId, 'withdrawn');
  await until(async () => (await stateOf(orderId)) === 'withdrawn');
  assert.equal(await rowsOf(shared.databaseUrl, `SELECT 1 FROM svc_timers WHERE kind = 'effect'`), []);
  await until(() => ended !== undefined);
});
