import * as assert from 'uvu/assert';
import { assign } from 'xstate';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { hide, redactObject } from '../../contracts/redaction.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { SealedField } from '../../contracts/sealing.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { redaction } from '../../endpoints/registrations.js';
import { until } from '../../runtime/kit/until.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { masterKey, tablesWith } from '../testing/customer-hosts.js';
import { sharedHosts } from '../testing/live-hosts.js';
import {
  gateway,
  Nudge,
  Nudged,
  SendSms,
  smsGateway,
  SmsSent,
  textingShop,
} from '../testing/texting-shop.js';

const test = suite('outcomes of effects with values of subjects');

/** Hands on what the first text has returned to a second one. */
const machine = processSetup({
  events: { Nudged, SmsSent },
  commands: { SendSms },
  context: shape<{ orderId: Uuid; smsId: string }>(),
}).createMachine({
  context: ({ input }) => ({ orderId: input.data.orderId, smsId: '' }),
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        src: 'SendSms',
        input: ({ context: { orderId } }) => SendSms.of({ orderId, to: 'first' }),
        onDone: {
          target: 'asked',
          actions: assign({ smsId: ({ event }) => (event.output as SmsSent).smsId }),
        },
      },
    },
    asked: {
      invoke: {
        src: 'SendSms',
        input: ({ context: { orderId, smsId } }) => SendSms.of({ orderId, to: smsId }),
        onDone: 'done',
      },
    },
    done: {},
  },
});

const asking: Process = {
  name: 'asking',
  version: 1,
  machine,
  starts: [Nudged],
  key: ({ payload }: StoredEvent) => (payload as Nudged).orderId,
};

const secret = `phone of ${newUuid()}`;
const other = gateway();
other.answer = () => secret;
const dispatchers: Dispatcher[] = [];
const sealed = (field: string): SealedField => ({ path: [field], subject: 'orderId', subjectIn: 'object' });
const shared = sharedHosts({
  definition: textingShop(smsGateway(other), (local) => dispatchers.push(local), {
    processes: [asking],
    redactions: [
      redaction(SmsSent, (message) => redactObject(message, { smsId: hide })),
      redaction(SendSms, (message) => redactObject(message, { to: hide })),
    ],
    sealed: [
      { type: SmsSent, fields: [sealed('smsId')] },
      { type: SendSms, fields: [sealed('to')] },
    ],
  }),
  env: { SVC_MASTER_KEY: masterKey },
});
test.before(() => shared.start());
test.after(() => shared.stop());

test('a process that invokes an effect keeps the value of a subject encrypted, and hands it on to one that sees it', async () => {
  const orderId = newUuid();
  await dispatchers[0]?.localInvoke(Nudge.of({ orderId }));
  const kept = `SELECT snapshot -> 'context' ->> 'smsId' FROM svc_processes WHERE state = 'done'`;
  await until(async () => (await rowsOf(shared.databaseUrl, kept)).length > 0);
  assert.match((await rowsOf(shared.databaseUrl, kept))[0]?.[0] ?? '', /^svc:sealed:1:/);
  assert.equal(
    other.calls.map(({ to }) => to),
    ['first', secret],
  );
  assert.equal(await tablesWith(shared.databaseUrl, secret), []);
});
