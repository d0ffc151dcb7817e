import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { Command, Event } from '../../contracts/message.js';
import { Permission } from '../../contracts/permission.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { jsonOf, post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { verifyWebhook } from '../../endpoints/webhooks/verify-webhook.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { readConfig } from '../config/config.js';
import { startHost } from './host.js';

const test = suite('own routes of a host');

/** Dispatched by own routes alone. */
class RecordPayment extends Command {
  amount!: string;
}

class PaymentRecorded extends Event {
  amount!: string;
}

class RecordPaymentReceptor implements Receptor<RecordPayment, { readonly amount: string }> {
  handle({ amount }: RecordPayment, work: UnitOfWork) {
    work.append(newUuid(), PaymentRecorded.of({ amount }));
    return { amount };
  }
}

const secret = `whsec_${Buffer.from('thirty-two bytes of a test secret').toString('base64')}`;

const payments: ServiceDefinition = {
  name: 'payments',
  authenticate: ({ headers }) => {
    const name = headers['x-user'];
    return typeof name === 'string'
      ? { source: 'test', scope: { tenantId: 'north', userId: name }, permissions: [`payments:${name}`] }
      : null;
  },
  create: () => ({ endpoints: [], receptors: [receptor(RecordPayment, new RecordPaymentReceptor())] }),
  cors: { origins: ['https://shop.example'] },
  routes: (app) => {
    app.post('/pay', { config: { permission: Permission.of('payments', 'clerk') } }, (request) =>
      request.dispatch(RecordPayment.of(request.body as RecordPayment), {
        idempotencyKey: request.headers['idempotency-key'],
      }),
    );
    app.post(
      '/webhooks/bank',
      { config: { permission: 'public' } },
      verifyWebhook({
        secrets: [secret],
        toCommand: ({ payload }) => RecordPayment.of(payload as RecordPayment),
        scopeOf: () => ({ tenantId: 'south' }),
      }),
    );
  },
};

const events = `SELECT tenant_id, data ->> 'amount' FROM svc_event_stream ORDER BY global_position`;
const audits = `SELECT data -> 'scope' ->> 'tenantId', data ->> 'correlationId' FROM svc_system_stream
  WHERE event_type = 'CommandAudited' ORDER BY stream_position`;

test('an own route and a signed delivery send audited commands, each once, and a preflight is answered', () =>
  withStore(async (databaseUrl) => {
    const env = { SVC_PORT: '0', DATABASE_URL: databaseUrl, SVC_LOG: 'error' };
    const host = await startHost(payments, readConfig(env));
    try {
      const { url } = host;
      assert.is(refusalIn(await post(url, { amount: '1' }, { path: '/pay' })), '401 unauthenticated');
      const stranger = { 'x-user': 'stranger' };
      const denied = await post(url, { amount: '1' }, { path: '/pay', headers: stranger });
      assert.is(refusalIn(denied), '403 access-denied');
      const clerk = { 'x-user': 'clerk', 'x-correlation-id': 'story-7', 'idempotency-key': 'k' };
      for (let times = 0; times < 2; times++) {
        const paid = await post(url, { amount: '5' }, { path: '/pay', headers: clerk });
        assert.equal([paid.status, jsonOf(paid)], [200, { amount: '5' }]);
      }
      for (let times = 0; times < 2; times++) assert.is((await deliver(url, '{"amount":"7"}')).status, 204);
      assert.equal(await rowsOf(databaseUrl, events), [
        ['north', '5'],
        ['south', '7'],
      ]);
      const [first, second] = await rowsOf(databaseUrl, audits);
      assert.equal(first, ['north', 'story-7']);
      assert.is(second?.[0], 'south');
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
      assert.is((await send(url, { method: 'OPTIONS', path: '/pay', headers })).status, 204);
    } finally {
      await host.stop();
    }
  }));

function deliver(url: string, body: string) {
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return send(url, { path: '/webhooks/bank', body, headers });
}
